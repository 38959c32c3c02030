export { mediaWork, removeFiles } from './change-asset.ts'
export { openLibrary, type Library } from './library.ts'
