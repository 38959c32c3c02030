/** The links that a document would have written and the workspace does not take. */
import { linksFault, newAppLinks, type Link, type LinkSchemes } from '../blocks/links/link-schemes.ts'
import { linksOfContent, linksOfDefinition } from '../blocks/links/links.ts'
import type { Field } from '../blocks/field.ts'
import { linksOfSteps } from '../journeys/journey.ts'
import { linksOfMail, linksOfMessages } from '../messages/links.ts'
import { fieldsByBlock, type InstanceCode } from './instance-code.ts'
import type { WorkspaceCode } from './workspace-code.ts'

/** `isWritten`: what the plan makes or changes. Links that the same thing has already stay. */
export function linksFaultBetween(
  current: WorkspaceCode,
  after: WorkspaceCode,
  isWritten: (kind: keyof WorkspaceCode, key: string) => boolean,
): string | undefined {
  const schemes: LinkSchemes = after.settings.linkSchemes ?? null
  if (schemes === null) return undefined
  const [before, now] = [linksByThing(current), linksByThing(after)]
  for (const [name, { kind, key, links, begins = [] }] of now) {
    if (!isWritten(kind, key)) continue
    const stored = before.get(name)
    const kept = stored ? stored.links : begins
    const fault = linksFault(newAppLinks(links, kept), schemes)
    if (fault !== undefined) return `${kind} ${JSON.stringify(key)}: ${fault}`
  }
  return undefined
}

/** `begins`: what a new one has from its block type. */
type Thing = { kind: keyof WorkspaceCode; key: string; links: Link[]; begins?: Link[] }

function linksByThing({ blocks, instances, journeys, campaigns }: WorkspaceCode): Map<string, Thing> {
  const fields = fieldsByBlock(blocks)
  const types = new Map(blocks.map((definition) => [definition.key, linksOfDefinition(definition)]))
  const things: Thing[] = [
    ...blocks.map((definition): Thing => ({ kind: 'blocks', key: definition.key, links: types.get(definition.key) ?? [] })),
    ...instances.map((instance): Thing => {
      const links = linksOfInstance(fields.get(instance.block) ?? [], instance)
      return { kind: 'instances', key: instance.id, links, begins: types.get(instance.block) ?? [] }
    }),
    ...journeys.map(({ id, steps }): Thing => ({ kind: 'journeys', key: id, links: linksOfSteps(steps) })),
    ...campaigns.map(({ id, content, mail }): Thing => ({
      kind: 'campaigns',
      key: id,
      links: [...linksOfMessages('content', content), ...linksOfMail('mail', mail)],
    })),
  ]
  return new Map(things.map((thing) => [`${thing.kind} ${thing.key}`, thing]))
}

/** A document names fields by their tags. */
function linksOfInstance(fields: readonly Field[], { live, test, ...newest }: InstanceCode): Link[] {
  const byTag = fields.map((field) => ({ ...field, id: field.tag }))
  return [newest, ...[live, test].filter((served) => typeof served === 'object')].flatMap((content) => linksOfContent(byTag, content))
}
