import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainsAbove, judgeDomain, type DomainRecords } from './domain-check.ts'

const RECORDS: DomainRecords = {
  domain: 'shop.example',
  provider: 'smtp',
  spf: ['v=spf1 mx -all', 'something else'],
  dmarc: [{ name: '_dmarc.shop.example', texts: ['v=DMARC1; p=reject; rua=mailto:a@shop.example'] }],
  dkim: [{ name: 'cf._domainkey.shop.example', texts: ['v=DKIM1; k=rsa; p=QUJD'] }],
}
const codes = (change: Partial<DomainRecords>) => judgeDomain({ ...RECORDS, ...change }).map(({ code, level }) => `${level} ${code}`)

test('decision 73: a domain that is set up has nothing to mend', () => {
  const found = judgeDomain(RECORDS)
  assert.deepEqual(
    found.map(({ code, level, name, advice }) => [code, level, name, advice]),
    [
      ['spf_ok', 'ok', 'shop.example', ''],
      ['dkim_ok', 'ok', 'cf._domainkey.shop.example', ''],
      ['dmarc_ok', 'ok', '_dmarc.shop.example', ''],
    ],
  )
})

test('decision 73: what is wrong with a domain is named with what to do', () => {
  for (const [change, found] of [
    [{ spf: [] }, 'stop spf_missing'],
    [{ spf: ['v=spf10 -all'] }, 'stop spf_missing'],
    [{ spf: ['v=spf1 -all', 'V=SPF1 mx ~all'] }, 'stop spf_twice'],
    [{ spf: ['v=spf1 mx +all'] }, 'warn spf_open'],
    [{ spf: ['v=spf1 mx all'] }, 'warn spf_open'],
    [{ spf: ['v=spf1 include:sendgrid.net -all'], provider: 'mailgun' }, 'warn spf_without_provider'],
    [{ spf: ['v=spf1 include:mailgun.org -all'], provider: 'mailgun' }, 'ok spf_ok'],
    [{ spf: null }, 'warn names_unanswered'],
    [{ dkim: [] }, 'warn dkim_unsigned'],
    [{ dkim: [{ name: 'a', texts: [] }] }, 'stop dkim_missing'],
    [{ dkim: [{ name: 'a', texts: ['v=DKIM1; p='] }] }, 'stop dkim_revoked'],
    [{ dkim: [{ name: 'a', texts: ['v=DKIM1; p=QUJE'], publicKey: 'QUJD' }] }, 'stop dkim_other_key'],
    [{ dkim: [{ name: 'a', texts: ['p=QU JD'], publicKey: 'QUJD' }] }, 'ok dkim_ok'],
    [
      {
        dkim: [
          { name: 'a', texts: [] },
          { name: 'b', texts: ['p=QUJD'] },
        ],
      },
      'ok dkim_ok',
    ],
    [{ dkim: [{ name: 'a', texts: null }] }, 'warn names_unanswered'],
    [{ signsFor: 'other.example' }, 'warn dkim_other_domain'],
    [{ signsFor: 'mail.shop.example' }, 'ok dkim_ok'],
    [{ dmarc: [{ name: 'a', texts: [] }] }, 'stop dmarc_missing'],
    [{ dmarc: [{ name: 'a', texts: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }] }, 'stop dmarc_twice'],
    [{ dmarc: [{ name: 'a', texts: ['v=DMARC1; p=none'] }] }, 'warn dmarc_watches'],
    [{ dmarc: [{ name: 'a', texts: ['v=DMARC1; q=reject'] }] }, 'stop dmarc_wrong'],
    [
      {
        dmarc: [
          { name: 'a', texts: [] },
          { name: 'b', texts: ['v=DMARC1;p=quarantine'] },
        ],
      },
      'ok dmarc_ok',
    ],
    [{ dmarc: [{ name: 'a', texts: null }] }, 'warn names_unanswered'],
  ] satisfies [Partial<DomainRecords>, string][])
    assert.ok(codes(change).includes(found), `${found}: ${codes(change).join(', ')}`)
  for (const { level, advice } of judgeDomain({ ...RECORDS, spf: [], dkim: [], dmarc: [] })) assert.ok(level === 'ok' || advice !== '')
})

test('decision 73: DMARC is looked for up to the domain below the last one', () => {
  assert.deepEqual(domainsAbove('a.b.shop.example'), ['a.b.shop.example', 'b.shop.example', 'shop.example'])
  assert.deepEqual(domainsAbove('example'), ['example'])
})
