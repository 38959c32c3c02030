export { openChannels, type Channels } from './send.ts'
export { tendChannels } from './tend.ts'
