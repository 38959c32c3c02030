import { ActionIcon, Button, Group, SimpleGrid, Stack, TextInput, Tooltip } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { BrandLogo } from '@contentflow/core/mail/brand/brand.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Section } from '../../../ui/section.tsx'
import { AssetPicker } from '../../media/asset-picker.tsx'
import { fromLeft } from '../../mails/editor/panel/field-direction.tsx'
import type { BrandFieldsProps } from './colour-fields.tsx'
import { useBrandTexts } from './texts-brand.ts'

const NEW: BrandLogo = { src: '', alt: '', width: 160 }

/** The logo in the light and in the dark; a brand may have none, and then the name of the company stands there. */
export function LogoFields({ brand: { logo }, onChange }: BrandFieldsProps) {
  const t = useBrandTexts()
  const set = (part: Partial<BrandLogo>) => onChange({ logo: { ...(logo ?? NEW), ...part } })
  return (
    <Section title={t('logo')} text={t('logoText')}>
      {logo === null ? (
        <Group>
          <Button variant="default" onClick={() => onChange({ logo: NEW })}>
            {t('addLogo')}
          </Button>
        </Group>
      ) : (
        <Stack gap="sm">
          <PictureField label={t('logoSrc')} value={logo.src} onChange={(src) => set({ src })} />
          <PictureField
            label={t('logoDark')}
            value={logo.darkSrc ?? ''}
            onChange={(darkSrc) => set({ darkSrc: darkSrc === '' ? undefined : darkSrc })}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('logoAlt')}
              value={logo.alt}
              onChange={({ currentTarget }) => set({ alt: currentTarget.value })}
              dir="auto"
              autoComplete="off"
            />
            <NumberField
              label={t('logoWidth')}
              value={logo.width}
              onChange={(width) => {
                if (width !== undefined && Number.isInteger(width)) set({ width })
              }}
              {...LIMITS.brandLogoWidth}
              isWhole
              isNeeded
            />
          </SimpleGrid>
          <Group>
            <Button variant="default" onClick={() => onChange({ logo: null })}>
              {t('removeLogo')}
            </Button>
          </Group>
        </Stack>
      )}
    </Section>
  )
}

function PictureField({ label, value, onChange }: { label: string; value: string; onChange: (src: string) => void }) {
  const t = useBrandTexts()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <TextInput
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        inputContainer={fromLeft}
        autoComplete="off"
        rightSection={
          <Tooltip label={t('choose')}>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={`${t('choose')}: ${label}`} onClick={() => setChoosing(true)}>
              <IconPhotoPlus size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        }
      />
      <AssetPicker
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onPick={({ url }) => onChange(new URL(url, location.origin).href)}
      />
    </>
  )
}
