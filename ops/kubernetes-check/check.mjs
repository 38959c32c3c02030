/**
 * Reads manifests as a cluster does. `values`: a file of YAML as JSON. `manifests`: YAML from standard input, of which each
 * document is held against the schema of its kind; prints them as JSON, or what is wrong, and fails then. `types`: the same
 * documents as TypeScript, whose compiler refuses members that a kind does not have: the schemas let them pass.
 */
import { readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'

const [asked, file] = process.argv.slice(2)
if (asked === 'values') process.stdout.write(JSON.stringify(parse(readFileSync(file, 'utf8'), { uniqueKeys: true })))
else if (asked === 'types') process.stdout.write(typesOf(await readManifests(readFileSync(0, 'utf8'))))
else process.stdout.write(JSON.stringify(await readManifests(readFileSync(0, 'utf8'))))

async function readManifests(text) {
  const documents = parseAllDocuments(text, { uniqueKeys: true })
  const faults = documents.flatMap(({ errors }) => errors.map(({ message }) => message))
  const manifests = documents.map((document) => document.toJS()).filter((manifest) => manifest !== null)
  if (faults.length === 0)
    for (const manifest of manifests) {
      const fault = await faultOf(manifest)
      if (fault !== undefined) faults.push(`${manifest.kind} ${manifest.metadata?.name}: ${fault}`)
    }
  if (faults.length === 0) return manifests
  throw new Error(faults.join('\n'))
}

async function faultOf({ apiVersion, kind, ...rest }) {
  try {
    const { [kind]: Model } = await import(moduleOf(apiVersion, kind))
    new Model({ apiVersion, kind, ...rest }).validate()
    return undefined
  } catch (error) {
    return error.message
  }
}

function moduleOf(apiVersion, kind) {
  const models = apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
  return `${models}/${apiVersion}/${kind}`
}

function typesOf(manifests) {
  const lines = manifests.map(({ apiVersion, kind, ...rest }, at) => {
    const type = `import('${moduleOf(apiVersion, kind)}').I${kind}`
    return `export const manifest${at}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })}`
  })
  return `${lines.join('\n')}\n`
}
