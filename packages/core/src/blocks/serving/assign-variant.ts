/**
 * G-73: where a device falls among the weights, from 0 to below their sum: the first four bytes of SHA-256 of
 * `<device id>:<instance id>`, modulo the sum, so every server agrees. Undefined without a device or without weights.
 * `hash32` is passed in because core has no hash of its own.
 */
export function bucketOf(
  weights: readonly number[],
  deviceId: string | undefined,
  instanceId: string,
  hash32: (text: string) => number,
): number | undefined {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return deviceId === undefined || total === 0 ? undefined : hash32(`${deviceId}:${instanceId}`) % total
}

/** The index of the variant a device gets, or -1 for the base values: no device, or no variants. */
export function assignVariant(
  weights: readonly number[],
  deviceId: string | undefined,
  instanceId: string,
  hash32: (text: string) => number,
): number {
  let point = bucketOf(weights, deviceId, instanceId, hash32)
  if (point === undefined) return -1
  for (const [index, weight] of weights.entries()) {
    if (point < weight) return index
    point -= weight
  }
  return -1
}
