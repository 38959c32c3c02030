import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

type Save = (value: unknown) => Promise<{ status: number; stored: unknown; delivered: unknown }>

/** A type with one field `#f` and a published instance of it; saves a value and says what then is stored and delivered. */
async function field(rules: object): Promise<Save> {
  const ws = await workspace()
  await ws.block('promo', { fields: [{ id: 'f', tag: '#f', ...rules }] })
  const { id } = await ws.instance('promo')
  return async (value) => {
    const answer = await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#f': value } })
    if (answer.status === 400) assert.deepEqual([answer.body.success, answer.body.code], [false, undefined])
    return {
      status: answer.status,
      stored: (await ws.admin.get(`/blocks/promo/instances/${id}`)).data.values['#f'],
      delivered: (await ws.blocks())[0].values['#f'],
    }
  }
}

async function delivers(save: Save, values: unknown[]) {
  for (const value of values) assert.deepEqual(await save(value), { status: 200, stored: value, delivered: value }, JSON.stringify(value))
}

/** Refused, and what was saved before stays. */
async function refuses(save: Save, values: unknown[], before: unknown) {
  await delivers(save, [before])
  for (const value of values) assert.deepEqual(await save(value), { status: 400, stored: before, delivered: before }, JSON.stringify(value))
}

test('C-BLK-29 text is delivered as a string of one line', async () => {
  const save = await field({ type: 'text' })
  await delivers(save, ['Hi', ' two  blanks ', '5', '<b>"&\'\\</b>', 'عرض 😀', '__proto__', '\u2028'])
  await refuses(save, [5, true, ['x'], { a: 1 }, 'a\nb', 'a\rb'], 'kept')
})

test('C-BLK-30 textarea is delivered as a string and keeps its line breaks', async () => {
  const save = await field({ type: 'textarea' })
  await delivers(save, ['a\nb', 'a\r\n\r\nb', '\n'])
  await refuses(save, [5, ['a', 'b']], 'kept')
})

test('C-BLK-31 image is delivered as a plain URL string', async () => {
  const save = await field({ type: 'image' })
  await delivers(save, [
    'https://cdn.example/a.png',
    'https://cdn.example/a%20b.png?w=1#x',
    'http://assets.local:9000/a.png',
    '/assets/a.png',
  ])
  await refuses(
    save,
    [{ url: 'https://cdn.example/a.png' }, ['https://cdn.example/a.png'], 5, 'javascript:x', 'data:image/png;base64,AA'],
    '/kept.png',
  )
})

test('C-BLK-32 number is delivered as a JSON number', async () => {
  const save = await field({ type: 'number' })
  await delivers(save, [12.5, 0, -3, 1e21, 0.1, 9007199254740991])
  await refuses(save, ['12.5', true, [1]], 5)
})

test('C-BLK-33 C-BLK-34 select is delivered as the chosen value, and a value outside its options is refused', async () => {
  const save = await field({ type: 'select', options: ['a', 'b', { value: 'c', label: 'Choice' }, 4] })
  await delivers(save, ['a', 'b', 'c', 4])
  await refuses(save, ['z', 'A', '4', 'Choice', { value: 'c', label: 'Choice' }, true], 'b')
  const none = await field({ type: 'select' })
  assert.equal((await none('a')).status, 400)
})

test('C-BLK-35 toggle is delivered as a JSON boolean', async () => {
  const save = await field({ type: 'toggle' })
  await delivers(save, [true, false])
  await refuses(save, ['true', 1, 0, []], true)
})

test('C-BLK-36 C-BLK-37 C-BLK-38 C-BLK-39 url takes https links, mailto, tel, app links and in-app paths, unchanged', async () => {
  const save = await field({ type: 'url' })
  await delivers(save, [
    'https://a.example/x',
    'https://A.example:8443/x?y=%20&z#part',
    'mailto:someone@example.com?subject=Hi',
    'tel:+96812345678',
    'myapp://offers/3',
    'com.example.app://x',
    '/offers/3',
    '/',
  ])
})

test('C-BLK-40 url refuses javascript links on save, in every disguise', async () => {
  const save = await field({ type: 'url' })
  const links = [
    'javascript:alert(1)',
    ' JaVaScRiPt:x',
    'JAVASCRIPT:x',
    '\tjavascript:x',
    '\u0001javascript:x',
    '\u001fjavascript:x',
    '\u00a0javascript:x',
    '\ufeffjavascript:x',
    'java\nscript:x',
    'java\tscript:x',
    'java\rscript:x',
    'javascript\n:x',
    'javascript://a.example/%0aalert(1)',
    'javascript&colon;x',
    '&#106;avascript:x',
    'view-source:javascript:x',
    'jar:javascript:x',
  ]
  await refuses(save, links, '/kept')
})

test('C-BLK-41 url refuses data and other unsafe schemes, and what is no link', async () => {
  const save = await field({ type: 'url' })
  const links = [
    'data:text/html,<script>x</script>',
    'DATA:x',
    ' data:x',
    'vbscript:x',
    'VbScript:x',
    'file:///etc/passwd',
    'FILE:x',
    'blob:https://a.example/1',
  ]
  await refuses(save, [...links, '//evil.example', '/\\evil.example', 'https:', 'offers', '#x', 5, {}, ['/x']], '/kept')
})

test('C-BLK-40 C-BLK-41 a text that becomes a link by a changed definition is not delivered when it is unsafe', async () => {
  const ws = await workspace()
  const declare = async (type: string) =>
    expectStatus(
      await ws.write.post('/cards/register', {
        key: 'promo',
        seedInstance: false,
        fields: ['a', 'b'].map((id) => ({ id, tag: `#${id}`, type })),
      }),
      201,
    )
  await declare('text')
  await ws.instance('promo', { values: { '#a': 'javascript:alert(1)', '#b': '/offers' } })
  for (const type of ['url', 'image']) {
    await declare(type)
    assert.deepEqual((await ws.blocks())[0].values, { '#b': '/offers' }, type)
  }
})

test('M-REG-31 maxLength limits the characters of a text on save', async () => {
  for (const type of ['text', 'textarea']) {
    const save = await field({ type, maxLength: 10 })
    await delivers(save, ['x'.repeat(10), '😀'.repeat(10)])
    await refuses(save, ['x'.repeat(11), '😀'.repeat(11)], 'kept')
  }
})

test('M-REG-26 a field of an unknown type takes any value', async () => {
  await delivers(await field({ type: 'rating' }), [5, 'x', [1, [2]], { a: { b: null } }, false])
})

const draftOf = async (ws: Workspace) => ws.instance('promo', {}, { publish: false })

test('M-REG-32 G-36 G-37 an instance with an empty required field cannot be live, and a live one cannot be emptied', async () => {
  const ws = await workspace()
  await ws.block('promo', {
    fields: [
      { id: 'f', tag: '#f', type: 'text', required: true },
      { id: 'g', tag: '#g', type: 'toggle', required: true },
      { id: 'h', tag: '#h', type: 'number', required: true },
    ],
  })
  const { id } = await draftOf(ws)
  const path = `/blocks/promo/instances/${id}`
  for (const values of [{}, { '#f': 'x' }, { '#g': false }]) {
    expectStatus(await ws.admin.put(path, { values }), 200)
    for (const target of ['live', 'test']) {
      const answer = await ws.admin.post(`${path}/publish`, { target })
      assert.deepEqual([answer.status, answer.body.success, answer.body.code], [400, false, undefined])
    }
  }
  expectStatus(await ws.admin.put(path, { values: { '#h': 0 } }), 200)
  expectStatus(await ws.admin.post(`${path}/publish`), 200)
  for (const empty of [null, '']) assert.equal((await ws.admin.put(path, { values: { '#f': empty } })).status, 400)
  assert.deepEqual((await ws.blocks())[0].values, { '#f': 'x', '#g': false, '#h': 0 })
  expectStatus(await ws.admin.post(`${path}/unpublish`), 200)
  expectStatus(await ws.admin.put(path, { values: { '#f': null } }), 200)
})
