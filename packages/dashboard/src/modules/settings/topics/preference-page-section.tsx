import { Button, Radio, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { PAGE_LINKS } from '@contentflow/core/identity/consent/preference-page.ts'
import { REQUEST_LAWS } from '@contentflow/core/identity/deadlines.ts'
import type { PreferencePage } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { OnlyFor } from '../notes.tsx'
import { useTopicTexts } from './texts.ts'

const PATH = '/settings/preference-page'

/** When emails link the page on which people choose, and by which law their requests are counted. */
export function PreferencePageSection() {
  const t = useTopicTexts()
  const { mayAdmin } = useSession()
  const setting = useRead<PreferencePage>(PATH)
  return (
    <Section title={t('pageTitle')} text={t('pageText')}>
      <Loaded read={setting} height={160}>
        {(stored) => <PageForm key={JSON.stringify(stored)} stored={stored} />}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function PageForm({ stored }: { stored: PreferencePage }) {
  const t = useTopicTexts()
  const { mayAdmin } = useSession()
  const [wanted, setWanted] = useState(stored)
  const save = useWrite<PreferencePage>((body) => ({ method: 'PUT', path: PATH, body }), {
    stale: [PATH],
    done: t('pageSaved'),
    showsError: true,
  })
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(stored)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) save.mutate(wanted)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !save.isPending} />
      <Stack gap="sm" align="flex-start">
        <Radio.Group label={t('inMails')} value={wanted.inMails}>
          <Stack gap="xs" mt="xs">
            {PAGE_LINKS.map((when) => (
              <Radio
                key={when}
                value={when}
                label={t(when)}
                disabled={!mayAdmin}
                onChange={() => setWanted({ ...wanted, inMails: when })}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Select
          label={t('law')}
          data={REQUEST_LAWS.map((law) => ({ value: law, label: t(`law_${law}`) }))}
          value={wanted.law}
          onChange={(value) => {
            const law = REQUEST_LAWS.find((each) => each === value) ?? wanted.law
            setWanted({ ...wanted, law, publishedDays: law === 'dpdp' ? (wanted.publishedDays ?? null) : null })
          }}
          allowDeselect={false}
          disabled={!mayAdmin}
        />
        {wanted.law === 'dpdp' && (
          <NumberField
            label={t('days')}
            description={t('daysText')}
            value={wanted.publishedDays ?? undefined}
            onChange={(days) => setWanted({ ...wanted, publishedDays: days ?? null })}
            min={1}
            max={90}
            isWhole
          />
        )}
        {mayAdmin && (
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {t('save')}
          </Button>
        )}
        {save.error && <Failure error={save.error} />}
      </Stack>
    </form>
  )
}
