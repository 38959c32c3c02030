import { Radio, Select, Stack } from '@mantine/core'
import { PAGE_LINKS } from '@contentflow/core/identity/consent/preference-page.ts'
import { REQUEST_LAWS } from '@contentflow/core/identity/deadlines.ts'
import type { PreferencePage } from '@contentflow/server/wire.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { SettingSection } from '../setting-section.tsx'
import { useTopicTexts } from './texts.ts'

/** When emails link the page on which people choose, and by which law their requests are counted. */
export function PreferencePageSection() {
  const t = useTopicTexts()
  const words = { title: t('pageTitle'), text: t('pageText'), save: t('save'), saved: t('pageSaved') }
  return (
    <SettingSection<PreferencePage> path="/settings/preference-page" words={words}>
      {({ wanted, set, isLocked }) => (
        <>
          <Radio.Group label={t('inMails')} value={wanted.inMails}>
            <Stack gap="xs" mt="xs">
              {PAGE_LINKS.map((when) => (
                <Radio key={when} value={when} label={t(when)} disabled={isLocked} onChange={() => set({ inMails: when })} />
              ))}
            </Stack>
          </Radio.Group>
          <Select
            label={t('law')}
            data={REQUEST_LAWS.map((law) => ({ value: law, label: t(`law_${law}`) }))}
            value={wanted.law}
            onChange={(value) => {
              const law = REQUEST_LAWS.find((each) => each === value) ?? wanted.law
              set({ law, publishedDays: law === 'dpdp' ? (wanted.publishedDays ?? null) : null })
            }}
            allowDeselect={false}
            disabled={isLocked}
          />
          {wanted.law === 'dpdp' && (
            <NumberField
              label={t('days')}
              description={t('daysText')}
              value={wanted.publishedDays ?? undefined}
              onChange={(days) => set({ publishedDays: days ?? null })}
              min={1}
              max={90}
              isWhole
            />
          )}
        </>
      )}
    </SettingSection>
  )
}
