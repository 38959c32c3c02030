/** Sends one file of a project, and says in a line what that changed. */
import type { CodeKind } from '@contentflow/core/as-code/workspace-code.ts'
import type { Api } from '../api.ts'
import { refuseErrors, sendManifest } from '../commands/blocks.ts'
import { sendTypes } from '../commands/event-types.ts'
import { readRows, refuseRejected, sendRows } from '../commands/strings.ts'
import { applyFile } from '../commands/workspace.ts'
import type { Io } from '../io.ts'
import type { Project } from '../project.ts'

export type WatchedFile = { file: string; kind: 'document' | 'manifest' | 'events' | 'texts' }
/** `report`: what the server said. */
export type Pushed = { says: string; report: object }

const NOTHING = 'nothing changed'

/** The document first: block types, texts and event types with a file of their own come from that one. */
export function filesOfProject({ document, manifest, events, texts }: Project): WatchedFile[] {
  return [
    ...(document === undefined ? [] : [{ file: document, kind: 'document' as const }]),
    ...(manifest === undefined ? [] : [{ file: manifest, kind: 'manifest' as const }]),
    ...(events === undefined ? [] : [{ file: events, kind: 'events' as const }]),
    ...texts.map((file) => ({ file, kind: 'texts' as const })),
  ]
}

export function push(io: Io, api: Api, project: Project, { file, kind }: WatchedFile): Promise<Pushed> {
  switch (kind) {
    case 'document':
      return pushDocument(io, api, project, file)
    case 'manifest':
      return pushManifest(io, api, file)
    case 'events':
      return pushEvents(io, api, file)
    case 'texts':
      return pushTexts(io, api, file)
    default:
      return kind satisfies never
  }
}

async function pushManifest(io: Io, api: Api, file: string): Promise<Pushed> {
  const report = await sendManifest(io, api, file)
  refuseErrors(report)
  const { created, updated, archived, instances } = report
  const blocks = named(io, { created, changed: updated, removed: archived })
  const seeds = instances.created + instances.updated > 0 ? [`${instances.created} instances made, ${instances.updated} updated`] : []
  return { says: [...blocks, ...seeds].join(', ') || NOTHING, report }
}

async function pushEvents(io: Io, api: Api, file: string): Promise<Pushed> {
  const report = await sendTypes(io, api, file, false)
  const { created, changed, undeclared } = report
  return { says: named(io, { created, changed, removed: undeclared }).join(', ') || NOTHING, report }
}

async function pushTexts(io: Io, api: Api, file: string): Promise<Pushed> {
  const report = await sendRows(api, readRows(io, file))
  refuseRejected(report)
  const { created, updated, translationsWritten, skippedLocales } = report
  const skipped = skippedLocales.length > 0 ? `; no such language: ${skippedLocales.join(', ')}` : ''
  const isSame = created + updated + translationsWritten === 0
  return {
    says: (isSame ? NOTHING : `${created} created, ${updated} updated, ${translationsWritten} translations written`) + skipped,
    report,
  }
}

async function pushDocument(io: Io, api: Api, { manifest, events, texts }: Project, file: string): Promise<Pushed> {
  const others: CodeKind[] = [
    ...(manifest === undefined ? [] : ['blocks' as const]),
    ...(events === undefined ? [] : ['events' as const]),
    ...(texts.length === 0 ? [] : ['strings' as const]),
  ]
  const report = await applyFile(io, api, file, others)
  const of = (wanted: string) =>
    report.changes.filter(({ change }) => change === wanted).map(({ kind, key }) => `${kind} ${io.style.isolate(key)}`)
  return { says: named(io, { created: of('create'), changed: of('change'), removed: of('delete') }).join(', ') || NOTHING, report }
}

function named({ style: { paint } }: Io, { created, changed, removed }: Record<'created' | 'changed' | 'removed', string[]>): string[] {
  return [
    ...created.map((name) => paint('added', `+ ${name}`)),
    ...changed.map((name) => paint('changed', `~ ${name}`)),
    ...removed.map((name) => paint('removed', `- ${name}`)),
  ]
}
