/** What people type to find a text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, sync } from '../../../../test/builders/strings.ts'

const { workspace } = await startApp()

test('G-39 a text or key is found by any part of it, in either script, whatever its case and Arabic spelling', async () => {
  const ws = await workspace()
  await addLocales(ws, 'ar', 'fr')
  await sync(
    ws,
    { key: 'Checkout.Pay', sourceText: 'Pay now', values: { ar: 'اِدْفَع الآن', fr: 'Payer à l’ÉTÉ' } },
    { key: 'orders.title', sourceText: 'Your orders', description: 'Heading', values: { ar: 'طلبـــاتك إلى المكتبة' } },
  )
  const found = async (q: string) =>
    expectStatus(await ws.admin.get(`/strings?q=${encodeURIComponent(q)}`), 200).data.strings.map(({ key }: { key: string }) => key)
  for (const q of ['checkout.pay', 'OUT.PA', 'pay NOW', 'ادفع', 'اِدفع', 'ألان', 'الآن', 'دفع', 'à l’été'])
    assert.deepEqual(await found(q), ['Checkout.Pay'], q)
  for (const q of ['ORDERS', 'heading', 'طلباتك', 'طَلَبـاتك', 'الي', 'إلى', 'المكتبه', 'مکتبة'])
    assert.deepEqual(await found(q), ['orders.title'], q)
  assert.deepEqual(await found('تتت'), [])
  assert.deepEqual(await found('%'), [])
})
