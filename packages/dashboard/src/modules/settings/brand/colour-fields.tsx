import { Select, SimpleGrid, Stack, Tabs } from '@mantine/core'
import { BRAND_FONTS, LEAST_CONTRAST, READ_ON, THEME_COLOURS, THEME_MODES, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { contrast } from '@contentflow/core/mail/theme.ts'
import { useFormat } from '../../../format.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Section } from '../../../ui/section.tsx'
import { ColourField } from '../../mails/editor/panel/colour-field.tsx'
import { useBrandTexts } from './texts-brand.ts'

export type BrandFieldsProps = { brand: Brand; onChange: (part: Partial<Brand>) => void }

/** Colours of mails in the light and in the dark, each with how well words on it are read; letters and corners. */
export function ColourFields({ brand, onChange }: BrandFieldsProps) {
  const t = useBrandTexts()
  return (
    <Section title={t('colours')} text={t('coloursText')}>
      <Tabs defaultValue="light" keepMounted={false}>
        <Tabs.List>
          {THEME_MODES.map((mode) => (
            <Tabs.Tab key={mode} value={mode}>
              {t(`mode_${mode}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {THEME_MODES.map((mode) => (
          <Tabs.Panel key={mode} value={mode} pt="md">
            <ModeColours mode={mode} brand={brand} onChange={onChange} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('font')}
            data={BRAND_FONTS.map((value) => ({ value, label: t(`font_${value}`) }))}
            value={brand.font}
            onChange={(font) => onChange({ font: BRAND_FONTS.find((each) => each === font) ?? brand.font })}
            allowDeselect={false}
          />
          <NumberField
            label={t('radius')}
            value={brand.radius}
            onChange={(radius) => {
              if (radius !== undefined && Number.isInteger(radius) && radius >= 0 && radius <= LIMITS.brandRadius) onChange({ radius })
            }}
            min={0}
            max={LIMITS.brandRadius}
            isWhole
            isNeeded
          />
        </SimpleGrid>
      </Stack>
    </Section>
  )
}

function ModeColours({ mode, brand, onChange }: BrandFieldsProps & { mode: (typeof THEME_MODES)[number] }) {
  const t = useBrandTexts()
  const format = useFormat()
  const colours = brand[mode]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {THEME_COLOURS.map((name) => {
        const on = READ_ON.find(([words]) => words === name)?.[1]
        const ratio = on && contrast(colours[name], colours[on])
        const shown = ratio === undefined ? '' : format.number(Math.floor(ratio * 10) / 10)
        const words = on && { ratio: shown, on: t(`colour_${on}`), least: format.number(LEAST_CONTRAST) }
        const isEnough = ratio === undefined || ratio >= LEAST_CONTRAST
        return (
          <ColourField
            key={name}
            label={t(`colour_${name}`)}
            value={colours[name]}
            onChange={(colour) => colour && onChange({ [mode]: { ...colours, [name]: colour } })}
            description={words && isEnough ? t('contrast', words) : undefined}
            error={words && !isEnough ? t('contrastLow', words) : undefined}
          />
        )
      })}
    </SimpleGrid>
  )
}
