/** A client with mistakes that are often made. */
import { serve, type Command } from './adapter.ts'

let options: Command | undefined
const shown = new Map<string, object>()

await serve(async (command) => {
  if (command.do === 'open') {
    options = command
    shown.clear()
  }
  if (command.do === 'open' || command.do === 'sync') {
    const response = await fetch(`${options?.['baseUrl']}/sync?key=${options?.['key']}`)
    const { data } = (await response.json()) as { data?: { blocks: { instanceId: string }[] } }
    for (const block of data?.blocks ?? []) shown.set(block.instanceId, block)
    return undefined
  }
  return command.do === 'blocks' ? [...shown.values()] : undefined
})
