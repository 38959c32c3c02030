/** The Helm chart, rendered by Go's own templates, and the base of Kustomize: held against the schemas of Kubernetes and this server's settings. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { loadConfig, SETTINGS } from '../../src/config.ts'

const OPS = fileURLToPath(new URL('../../../../ops/', import.meta.url))
const TOOLS = join(OPS, 'kubernetes-check')
const CHART = join(OPS, 'helm/contentflow')
const BASE = join(OPS, 'kustomize/base')
const folder = mkdtempSync(join(tmpdir(), 'cf-kubernetes-'))
/** Beside the packages that it names. */
const made = mkdtempSync(join(TOOLS, 'made-'))
after(() => {
  for (const each of [folder, made]) rmSync(each, { recursive: true, force: true })
})

function run(command: string, args: string[], input = '', env: NodeJS.ProcessEnv = process.env): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: TOOLS, input, env, encoding: 'utf8', maxBuffer: 10_000_000 })
  if (error) throw error
  assert.equal(status, 0, `${command} ${args.join(' ')}:\n${stdout}${stderr}`)
  return stdout
}
if (!existsSync(join(TOOLS, 'node_modules/kubernetes-models'))) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
const go = { ...process.env, CGO_ENABLED: '0', GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') }
run('go', ['build', '-o', join(folder, 'render'), 'render.go'], '', go)

type Values = Record<string, any>
const yamlOf = (path: string): Values => JSON.parse(run(process.execPath, ['check.mjs', 'values', path]))
const [chart, defaults] = [yamlOf(join(CHART, 'Chart.yaml')), yamlOf(join(CHART, 'values.yaml'))]
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
/** As helm lays values over those of the chart. */
const over = (under: Values, own: Values): Values => ({
  ...under,
  ...Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, isObject(value) && isObject(under[name]) ? over(under[name], value) : value]),
  ),
})

/** The text of each template. */
function render(values: Values, name: string): Record<string, string> {
  const asked = {
    folder: CHART,
    chart: { AppVersion: chart['appVersion'] },
    release: { Name: name, Namespace: 'shop' },
    values: over(defaults, values),
  }
  return JSON.parse(run(join(folder, 'render'), [], JSON.stringify(asked)))
}

const yamlIn = (rendered: Record<string, string>) =>
  Object.entries(rendered)
    .filter(([file]) => file.endsWith('.yaml'))
    .map(([, text]) => text.trim().replace(/^---\n/, ''))
    .filter((text) => text !== '')
    .join('\n---\n')

/** Manifests that a cluster would take. */
function manifestsOf(text: string): Values[] {
  writeFileSync(join(made, 'manifests.ts'), run(process.execPath, ['check.mjs', 'types'], text))
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--target', 'es2022', '--module', 'nodenext']
  run('tsc', [...strict, join(made, 'manifests.ts')])
  return JSON.parse(run(process.execPath, ['check.mjs', 'manifests'], text))
}

const EVERYTHING = {
  image: { repository: 'registry.example/contentflow', tag: '1.2.3' },
  imagePullSecrets: [{ name: 'pull' }],
  secret: { create: true, name: 'made', values: { DATABASE_URL: 'postgres://db/shop', CF_SECRET_KEY: 'a2V5' } },
  settings: { CF_S3_BUCKET: 'files', CF_WORKSPACES: 'operator' },
  drainSeconds: 25,
  web: { autoscaling: { enabled: true } },
  files: { claim: { enabled: false } },
  bootstrap: { secret: 'first-start' },
  ingress: { enabled: true },
  networkPolicy: { from: [{ namespaceSelector: { matchLabels: { name: 'edge' } } }] },
  monitoring: { enabled: true, labels: { release: 'prometheus' } },
  nodeSelector: { zone: 'a' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
}
const plain = manifestsOf(yamlIn(render({}, 'contentflow')))
const full = manifestsOf(yamlIn(render(EVERYTHING, 'shop')))
const kinds = (manifests: Values[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
const pods = (manifests: Values[]) => manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec)
const envOf = (pod: Values): Record<string, string> =>
  Object.fromEntries(pod['containers'][0].env.map(({ name, value }: { name: string; value: string }) => [name, value]))

test('what is rendered is what a cluster takes: alone, and with everything that values can ask for', () => {
  assert.deepEqual(kinds(plain), [
    'Deployment contentflow-web',
    'Deployment contentflow-work',
    'NetworkPolicy contentflow',
    'PersistentVolumeClaim contentflow-files',
    'PodDisruptionBudget contentflow-web',
    'Service contentflow',
    'Service contentflow-metrics',
  ])
  assert.deepEqual(kinds(full), [
    'Deployment shop-contentflow-web',
    'Deployment shop-contentflow-work',
    'HorizontalPodAutoscaler shop-contentflow-web',
    'Ingress shop-contentflow',
    'NetworkPolicy shop-contentflow',
    'PodDisruptionBudget shop-contentflow-web',
    'PrometheusRule shop-contentflow',
    'Secret made',
    'Service shop-contentflow',
    'Service shop-contentflow-metrics',
    'Service shop-contentflow-nothing',
    'ServiceMonitor shop-contentflow',
  ])
  // A cluster that is that strict is what refuses these.
  const text = yamlIn(render({}, 'contentflow'))
  assert.throws(() => manifestsOf(text.replace('replicas: 2', 'replicaz: 2')), /replicaz/)
  assert.throws(() => manifestsOf(text.replace('port: 80\n', 'port: eighty\n')), /must be integer/)
})

test('every pod is as closed as the container may be, and ends in the time that the server takes', () => {
  for (const [manifests, drain] of [
    [plain, 10],
    [full, 25],
  ] as const) {
    assert.deepEqual(
      pods(manifests).map((pod) => envOf(pod)['CF_ROLE']),
      ['web', 'work'],
    )
    for (const pod of pods(manifests)) {
      assert.equal(pod.automountServiceAccountToken, false)
      const { runAsNonRoot, seccompProfile } = pod.securityContext
      assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }])
      const [container] = pod.containers
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.equal(envOf(pod)['CF_DRAIN_SECONDS'], String(drain))
      const limit = /STOP_LIMIT_MS = (\d+)_000/.exec(readFileSync(new URL('../../src/serve.ts', import.meta.url), 'utf8'))?.[1]
      assert.equal(pod.terminationGracePeriodSeconds, drain + Number(limit) + 5)
      assert.deepEqual(
        [container.livenessProbe, container.readinessProbe, container.startupProbe].map((probe) => probe.httpGet.path),
        ['/healthz', '/readyz', '/healthz'],
      )
      const mounts = container.volumeMounts.map(({ name }: { name: string }) => name)
      assert.deepEqual(
        mounts,
        pod.volumes.map(({ name }: { name: string }) => name),
      )
    }
  }
})

test('every setting that is named is one of this server, and its value one that it takes', () => {
  for (const pod of [...pods(plain), ...pods(full)]) {
    const env = envOf(pod)
    assert.deepEqual(
      Object.keys(env).filter((name) => !(name in SETTINGS)),
      [],
    )
    const secrets = { DATABASE_URL: 'postgres://db/shop', CF_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    loadConfig({ CF_S3_ACCESS_KEY: 'a', CF_S3_SECRET_KEY: 'b', ...secrets, ...env })
  }
  const texts = globSync('{helm,kustomize}/**/*.{yaml,yml,tpl,txt,json}', { cwd: OPS }).map((file) => readFileSync(join(OPS, file), 'utf8'))
  const named = new Set(texts.flatMap((text) => text.match(/\b(?:CF_[A-Z0-9_]*[A-Z0-9]|DATABASE_URL|REDIS_URL)\b/g) ?? []))
  assert.ok(named.has('CF_SECRET_KEY'))
  assert.deepEqual(
    [...named].filter((name) => !(name in SETTINGS)),
    [],
  )
})

test('streams pass the ingress as they are written, and what is for the own network does not pass it', () => {
  const ingress = full.find(({ kind }) => kind === 'Ingress')!
  assert.equal(ingress['metadata'].annotations['nginx.ingress.kubernetes.io/proxy-buffering'], 'off')
  const paths = ingress['spec'].rules[0].http.paths.map(({ path, backend }: any) => [path, backend.service.name])
  assert.deepEqual(paths, [
    ['/metrics', 'shop-contentflow-nothing'],
    ['/readyz', 'shop-contentflow-nothing'],
    ['/', 'shop-contentflow'],
  ])
  const nothing = full.find(({ metadata }) => metadata.name === 'shop-contentflow-nothing')!
  assert.equal(nothing['spec'].selector, undefined)
  const labels = pods(full).length && full.find(({ kind }) => kind === 'Deployment')!['spec'].template.metadata.labels
  for (const { kind, spec } of full.filter((each) => each['kind'] === 'Service' && each['spec'].selector))
    for (const [name, value] of Object.entries(spec.selector)) assert.equal(labels[name], value, `${kind} ${name}`)
})

test('the alerts of the chart are those of ops/prometheus, for the job that its monitor makes', () => {
  assert.equal(
    readFileSync(join(CHART, 'files/contentflow.rules.yml'), 'utf8'),
    readFileSync(join(OPS, 'prometheus/contentflow.rules.yml'), 'utf8'),
  )
  const rules = full.find(({ kind }) => kind === 'PrometheusRule')!['spec']
  assert.equal(rules.groups[0].name, 'contentflow')
  assert.match(JSON.stringify(rules), /job=\\"contentflow\\"/)
  const { spec } = full.find(({ kind }) => kind === 'ServiceMonitor')!
  const service = full.find(({ metadata }) => metadata.name === 'shop-contentflow-metrics')!
  assert.equal(service['metadata'].labels[spec.jobLabel], 'contentflow')
  for (const [name, value] of Object.entries(spec.selector.matchLabels)) assert.equal(service['metadata'].labels[name], value)
})

test('values are held against their schema', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
  delete schema.$schema
  const isRight = new Ajv({ strict: false }).compile(schema)
  for (const values of [{}, EVERYTHING]) assert.ok(isRight(over(defaults, values)), JSON.stringify(isRight.errors))
  for (const wrong of [
    { rockets: 1 },
    { web: { replicas: 0 } },
    { settings: { CF_TRUST_PROXY: 1 } },
    { settings: { PATH: '/' } },
    { secret: { create: true } },
    { drainSeconds: '10' },
  ])
    assert.ok(!isRight(over(defaults, wrong)), JSON.stringify(wrong))
  assert.match(render({}, 'contentflow')['NOTES.txt'] ?? '', /create secret generic contentflow/)
  assert.match(render(EVERYTHING, 'shop')['NOTES.txt'] ?? '', /Dashboard: https:\/\/content\.example\.com\//)
})

test('the base of Kustomize is what the chart renders by itself', () => {
  if (process.env['CF_WRITE_MANIFESTS'] === '1') writeFileSync(join(BASE, 'contentflow.yaml'), yamlIn(render({}, 'contentflow')))
  assert.deepEqual(manifestsOf(readFileSync(join(BASE, 'contentflow.yaml'), 'utf8')), plain)
  const built = manifestsOf(run('kubectl', ['kustomize', BASE]))
  const byName = (manifests: Values[]) => new Map(manifests.map((each) => [`${each['kind']} ${each['metadata'].name}`, each]))
  assert.deepEqual(byName(built), byName(plain))
})
