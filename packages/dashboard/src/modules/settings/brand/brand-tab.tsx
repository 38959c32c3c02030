import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { PLAIN_BRAND, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { BrandSetting } from '@contentflow/server/wire.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { BRAND } from '../../mails/api.ts'
import { OnlyFor } from '../notes.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { ColourFields } from './colour-fields.tsx'
import { CompanyFields } from './company-fields.tsx'
import { LogoFields } from './logo-fields.tsx'
import { SocialFields } from './social-fields.tsx'
import { useBrandTexts } from './texts-brand.ts'
import classes from './brand.module.css'

/** What all mails of sections look like, and say of the company. */
export function BrandTab() {
  const t = useBrandTexts()
  const { mayAdmin } = useSession()
  return (
    <Loaded read={useRead<BrandSetting>(BRAND)} height={480}>
      {({ brand }) =>
        mayAdmin ? (
          <BrandForm key={canonicalJson(brand)} stored={brand} />
        ) : (
          <Section title={t('brand')} text={t('brandText')}>
            <BrandPreview brand={brand} />
            <OnlyFor who="admins" />
          </Section>
        )
      }
    </Loaded>
  )
}

function BrandForm({ stored }: { stored: Brand }) {
  const t = useBrandTexts()
  const [brand, setBrand] = useState(stored)
  const change = (part: Partial<Brand>) => setBrand((before) => ({ ...before, ...part }))
  const save = useWrite<{ brand: Brand | null }, BrandSetting>((body) => ({ method: 'PUT', path: BRAND, body }), {
    stale: [BRAND, '/mails'],
    done: t('saved'),
    showsError: true,
  })
  const isChanged = canonicalJson(brand) !== canonicalJson(stored)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ brand })
      }}
    >
      <UnsavedGuard isDirty={isChanged && !save.isPending && !save.isSuccess} />
      <div className={classes.page}>
        <Stack gap="md" miw={0}>
          <LogoFields brand={brand} onChange={change} />
          <ColourFields brand={brand} onChange={change} />
          <CompanyFields brand={brand} onChange={change} />
          <SocialFields brand={brand} onChange={change} />
          {save.error && <Failure error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!isChanged}>
              {t('save')}
            </Button>
            <Button variant="default" onClick={() => setBrand(PLAIN_BRAND)} disabled={canonicalJson(brand) === canonicalJson(PLAIN_BRAND)}>
              {t('plain')}
            </Button>
          </Group>
        </Stack>
        <div className={classes.preview}>
          <Section title={t('preview')}>
            <BrandPreview brand={brand} />
          </Section>
        </div>
      </div>
    </form>
  )
}
