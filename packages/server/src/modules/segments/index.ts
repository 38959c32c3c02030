// TEMPORARY stand-in so that POST /identify runs; the owner of this module replaces the whole file.
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
export type Catalog = { readonly segments: readonly never[] }
export const catalogOf = async (_ctx: Context, _workspaceId: string): Promise<Catalog> => ({ segments: [] })
export const blockPathSegments = (_catalog: Catalog, _subject: Subject, _manual: ReadonlySet<string>, _now: number): string[] => []
export const storedMembership = (_catalog: Catalog, _subject: Subject, _manual: ReadonlySet<string>, _now: number): ReadonlySet<string> =>
  new Set()
export const saveMembership = async (
  _db: Db,
  _workspaceId: string,
  _profileId: string,
  _ids: ReadonlySet<string>,
  _now: Date,
): Promise<void> => {}
export const reevaluateProfiles = async (
  _ctx: Context,
  _workspaceId: string,
  _environment: string,
  _profileIds: readonly string[],
): Promise<void> => {}
