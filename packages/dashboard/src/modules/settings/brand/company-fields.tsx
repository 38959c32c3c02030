import { Stack, Tabs, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import type { BrandTexts } from '@contentflow/core/mail/brand/brand.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { Section } from '../../../ui/section.tsx'
import { useLocales } from '../../../locales.ts'
import type { BrandFieldsProps } from './colour-fields.tsx'
import { useBrandTexts } from './texts-brand.ts'

const NOTHING: BrandTexts = { company: '', address: '', footer: '' }

/** What stands at the end of every mail, in each language. */
export function CompanyFields({ brand: { texts }, onChange }: BrandFieldsProps) {
  const t = useBrandTexts()
  const format = useFormat()
  const language = useLanguage()
  const codes = [...new Set([...(useLocales() ?? []).map(({ code }) => code), ...Object.keys(texts)])]
  const offered = codes.length === 0 ? ['en', 'ar'] : codes
  const [picked, setPicked] = useState<string>()
  const locale = picked ?? offered.find((code) => code.split('-')[0] === language) ?? offered[0] ?? language
  const said = Object.hasOwn(texts, locale) ? (texts[locale] ?? NOTHING) : NOTHING
  const set = (part: Partial<BrandTexts>) => {
    const next = { ...said, ...part }
    const rest = Object.entries(texts).filter(([code]) => code !== locale)
    const isEmpty = Object.values(next).every((text) => text.trim() === '')
    onChange({ texts: Object.fromEntries(isEmpty ? rest : [...rest, [locale, next]]) })
  }
  const input = { dir: isRightToLeft(locale) ? ('rtl' as const) : ('ltr' as const), lang: locale, autoComplete: 'off' }
  return (
    <Section title={t('company')} text={t('companyText')}>
      <Tabs value={locale} onChange={(next) => next && setPicked(next)}>
        <Tabs.List aria-label={t('language')}>
          {offered.map((code) => (
            <Tabs.Tab key={code} value={code}>
              {format.language(code)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={locale} pt="md">
          <Stack gap="sm">
            <TextInput
              {...input}
              label={t('name')}
              value={said.company}
              onChange={({ currentTarget }) => set({ company: currentTarget.value })}
              maxLength={LIMITS.brandCompanyLength}
            />
            <Textarea
              {...input}
              label={t('address')}
              value={said.address}
              onChange={({ currentTarget }) => set({ address: currentTarget.value })}
              maxLength={LIMITS.brandTextLength}
              rows={2}
              autosize
            />
            <Textarea
              {...input}
              label={t('footer')}
              value={said.footer}
              onChange={({ currentTarget }) => set({ footer: currentTarget.value })}
              maxLength={LIMITS.brandTextLength}
              rows={2}
              autosize
            />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Section>
  )
}
