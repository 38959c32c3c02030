import type { App } from '../../src/app.ts'
import type { Route } from '../harness/routes.ts'

/** Which members the bodies of a route have at any depth, from the API description. */
export function memberNames(http: App['http']): (route: Route) => string[] {
  const { paths, components } = http.swagger() as { paths: Record<string, any>; components: { schemas: Record<string, unknown> } }
  const collect = (schema: unknown, names: Set<string>, seen: Set<unknown>): Set<string> => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return names
    seen.add(schema)
    for (const [name, part] of Object.entries(schema)) {
      if (name === '$ref') collect(components.schemas[String(part).split('/').at(-1) ?? ''], names, seen)
      if (name === 'properties') for (const member of Object.keys(part)) names.add(member)
      collect(part, names, seen)
    }
    return names
  }
  return ({ method, path }) => {
    // Both roots of the client interface are one in the description.
    const described = path.replace('/api/v1/sdk/', '/sdk/v1/').replaceAll(/:(\w+)/g, '{$1}')
    return [...collect(paths[described]?.[method.toLowerCase()]?.requestBody, new Set(), new Set())]
  }
}
