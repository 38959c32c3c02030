import { createHash } from 'node:crypto'
import { canonical, planCode, type CodeChange } from '@contentflow/core/as-code/plan-code.ts'
import { CODE_KINDS, inOrder, readCode, type WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import { definitionOf, listDefinitions } from '../content/index.ts'
import { listGeofences } from '../location/index.ts'
import { codeOf, listSegments, regexFault } from '../segments/index.ts'

/** What there is, with the rows it was read from. */
export type Found = {
  code: WorkspaceCode
  definitions: Awaited<ReturnType<typeof listDefinitions>>
  segments: Awaited<ReturnType<typeof listSegments>>
}
/** `version`: another one when anything that the plan is made of is another. */
export type PlannedCode = { changes: CodeChange[]; version: string }

export async function readWorkspace(db: Db, workspaceId: string): Promise<Found> {
  const definitions = await listDefinitions(db, workspaceId)
  const segments = await listSegments(db, workspaceId)
  const fences = await listGeofences(db, workspaceId)
  const code = inOrder({
    blocks: definitions.filter(({ archivedAt }) => !archivedAt).map(definitionOf),
    segments: segments.map((segment) => codeOf(segment, segments)),
    geofences: fences.map(({ id, name, latitude, longitude, radius_meters }) => ({
      id,
      name,
      latitude,
      longitude,
      radiusMeters: radius_meters,
    })),
  })
  return { code, definitions, segments }
}

/** The document of a body; 400 says where its first fault is. */
export function wantedCode(document: unknown): Partial<WorkspaceCode> {
  const read = readCode(document, regexFault)
  return read.ok ? read.value : failWith(400, `document: ${read.error}`)
}

export function planFor(current: WorkspaceCode, wanted: Partial<WorkspaceCode>): PlannedCode {
  const seen = CODE_KINDS.filter((kind) => wanted[kind]).map((kind) => [kind, current[kind], wanted[kind]])
  return { changes: planCode(current, wanted), version: createHash('sha256').update(canonical(seen)).digest('hex') }
}
