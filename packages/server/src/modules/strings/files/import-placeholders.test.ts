/** A file whose translations would be shown wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, catalog } from '../../../../test/builders/strings.ts'

const { workspace } = await startApp()

test('G-40 M-STRS-42 a translation without its placeholder is listed before, waits for review after, and is not served', async () => {
  const ws = await workspace()
  await addLocales(ws, 'ar')
  const csv = 'key,en,ar\nhi,Hi {name},أهلا\nbye,Bye {name},وداعا {name}\nmany,"{n, plural, one {one} other {#}}","{n, plural, other {#}"\n'
  const made = expectStatus(await ws.admin.post('/strings/imports', { csv }), 201).data
  const mismatches = [
    [2, 'hi', 'ar', 'missing_placeholder'],
    [4, 'many', 'ar', 'unbalanced_braces'],
  ]
  const listed = ({ summary }: any) =>
    summary.mismatches.map(({ line, key, locale, warnings }: any) => [line, key, locale, warnings[0].code])
  assert.deepEqual(listed(made), mismatches)
  assert.equal(made.summary.mismatchCount, 2)
  const { rows } = expectStatus(await ws.admin.get(`/strings/imports/${made.importId}`), 200).data
  assert.deepEqual(
    rows.map(({ key, translations: [{ status, warnings }] }: any) => [key, status, warnings?.[0].placeholder]),
    [
      ['hi', 'review', '{name}'],
      ['bye', 'ok', undefined],
      ['many', 'review', null],
    ],
  )
  const applied = expectStatus(await ws.admin.post(`/strings/imports/${made.importId}/apply`), 200).data
  assert.deepEqual(applied.summary, made.summary)
  const { strings, withheldKeys } = await catalog(ws, 'ar')
  assert.deepEqual([strings.hi, strings.bye, withheldKeys], ['Hi {name}', 'وداعا {name}', ['hi', 'many']])

  // Somebody looked at it and approves it all the same: the same file once more leaves that.
  expectStatus(await ws.admin.post('/strings/hi/translations/ar/approve', { force: true }), 200)
  const again = expectStatus(await ws.admin.post('/strings/imports', { csv }), 201).data
  assert.deepEqual([again.summary.unchanged, again.summary.mismatches], [3, undefined])
  expectStatus(await ws.admin.post(`/strings/imports/${again.importId}/apply`), 200)
  assert.equal((await catalog(ws, 'ar')).strings.hi, 'أهلا')
})
