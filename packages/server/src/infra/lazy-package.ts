import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package that is loaded by the first call of what this returns, because it takes megabytes that most processes never need.
 * Loading is synchronous, also of a package of ES modules, so whoever calls need not wait; it happens once in a process.
 */
export function lazyPackage<Package>(load: (require: NodeJS.Require) => Package): () => Package {
  let loaded: Package | undefined
  return () => (loaded ??= load(require))
}
