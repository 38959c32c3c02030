/** Files that are given out are compressed once, when they are built, so that no request has to. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Writes a `.gz` and a `.br` beside every file of text in the folder. */
export function compressFolder(folder) {
  for (const name of globSync('**/*.{js,css,html,svg,json}', { cwd: folder })) compress(`${folder}/${name}`)
}

function compress(file) {
  const bytes = readFileSync(file)
  // Below this the headers weigh more than what is saved.
  if (bytes.length < 1024) return
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
}
