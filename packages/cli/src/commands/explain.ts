import { openApi } from '../api.ts'
import { SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean; device?: string; test?: boolean }
type Explanation = {
  device: { deviceId: string | null; bar: string | null; consent: string | null; userId: string | null; segments: string[] }
  instances: { instanceId: string; title: string; isDelivered: boolean; reason: string }[]
}

/** Every instance of a block type with the reason why a device gets it, or does not. */
export async function explain(io: Io, { json, device, test }: Options, block: string): Promise<Exit> {
  const query = new URLSearchParams({ environment: test ? 'test' : 'live', ...(device !== undefined && { deviceId: device }) })
  const found = await openApi(io).call<Explanation>(
    'member',
    'GET',
    `/api/v1/explain/blocks/${encodeURIComponent(block)}?${query.toString()}`,
  )
  if (json) {
    io.out(`${JSON.stringify(found)}\n`)
    return SAME
  }
  const { deviceId, bar, consent, userId, segments } = found.device
  const who = deviceId === null ? 'a request without a device' : `device ${deviceId}`
  io.out(`${who}: consent ${consent ?? 'unknown'}, user ${userId ?? 'none'}, segments ${segments.join(', ') || 'none'}\n`)
  if (bar !== null) io.out(`gets untargeted content only: ${bar}\n`)
  if (found.instances.length === 0) io.out(`${block} has no instance\n`)
  for (const { instanceId, title, isDelivered, reason } of found.instances)
    io.out(`${isDelivered ? 'yes' : 'no '} ${title || instanceId}: ${reason}\n`)
  return SAME
}
