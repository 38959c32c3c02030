import { contentCode, type FieldsByBlock, type InstanceCode, type ServedCode } from '@contentflow/core/as-code/instance-code.ts'
import type { Db } from '../../../db/open.ts'
import { listAllInstances, type Instance } from '../revisions/queries-instances.ts'
import { pointerOf } from '../revisions/served.ts'
import { listServedContents, type Served } from './queries-code.ts'

/** Instances of these types, as a document has them whose types have these fields. */
export async function listInstanceCode(db: Db, workspaceId: string, blocks: FieldsByBlock): Promise<InstanceCode[]> {
  const instances = (await listAllInstances(db, workspaceId)).filter(({ blockKey }) => blocks.has(blockKey))
  const served = await listServedContents(db, workspaceId)
  const ids = new Set(instances.map(({ id }) => id))
  return instances.map((instance) => codeOf(instance, { blocks, served, isThere: (id) => ids.has(id) }))
}

type Known = { blocks: FieldsByBlock; served: ReadonlyMap<string, Served>; isThere: (id: string) => boolean }

function codeOf(instance: Instance, { blocks, served, isThere }: Known): InstanceCode {
  const fields = blocks.get(instance.blockKey) ?? []
  const servedIn = (environment: 'live' | 'test'): ServedCode => {
    const revision = pointerOf(instance, environment)
    if (revision === null) return false
    const content = revision === instance.version ? null : served.get(instance.id)?.[environment]
    return content ? contentCode(fields, content, isThere) : true
  }
  return {
    id: instance.id,
    block: instance.blockKey,
    externalId: instance.externalId,
    ...contentCode(fields, instance, isThere),
    live: servedIn('live'),
    test: servedIn('test'),
  }
}
