import { ActionIcon, Group, SegmentedControl, Select, Stack, Tooltip, useComputedColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDeviceDesktop, IconDeviceMobile, IconMoon, IconSun, IconTextDirectionLtr, IconTextDirectionRtl } from '@tabler/icons-react'
import { useState } from 'react'
import type { Variant } from '@contentflow/core/blocks/instance.ts'
import { Design, type DesignBlock } from '@contentflow/sdk/react'
import designStyles from '@contentflow/sdk/react/styles.css?inline'
import { useLanguage } from '../../../../i18n.ts'
import { useUrlState } from '../../../../ui/url-state.ts'
import type { Environment } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { useExplanation } from './explain.ts'
import { ExplainView } from './explain-view.tsx'
import { useDirections, useLocaleNames } from '../fields/locale-names.ts'
import { previewBlock } from './preview-block.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { ShadowBox } from './shadow-box.tsx'
import { useTexts } from '../texts.ts'
import { ViewerFields } from './viewer-fields.tsx'

const SOURCE = '*'
/** Apps bring their own font; here it is the dashboard's, which has both scripts. */
const STYLES = `${designStyles}\n[data-cf-theme] { --cf-font: 'Inter Variable', 'Noto Sans Arabic Variable', system-ui, sans-serif }`

/** The form's content as a device would draw it, and whether and why a device gets the published content. */
export function PreviewPanel() {
  const t = useTexts()
  const { content, definition, instance, children } = useEditor()
  const [environment, setEnvironment] = useState<Environment>(
    instance.targets.includes('live') || instance.targets.length === 0 ? 'live' : 'test',
  )
  const [deviceId, setDeviceId] = useUrlState('as')
  const [asked] = useDebouncedValue(deviceId.trim(), 300)
  const preferred = usePreferredLocale()
  const [locale, setLocale] = useUrlState('in', preferred)
  const [pickedVariant, setVariant] = useUrlState('values', SOURCE)
  const [width, setWidth] = useUrlState('width', 'phone')
  const [flip, setFlip] = useState(false)
  const pageTheme = useComputedColorScheme('light')
  const [chosenTheme, setTheme] = useState<'light' | 'dark'>()
  const theme = chosenTheme ?? pageTheme

  const code = locale === SOURCE ? null : locale
  const natural = useDirections()(code)
  const dir = flip ? (natural.dir === 'rtl' ? 'ltr' : 'rtl') : natural.dir
  const explained = useExplanation({ blockKey: definition.key, environment, deviceId: asked, locale: code ?? natural.lang })
  const verdict = explained.data?.instances.find(({ instanceId }) => instanceId === instance.id)
  const device = explained.data?.device
  const drawn = asked === '' ? undefined : verdict?.evidence.variant?.id
  const variant = drawn ?? (content.variants.some(({ id }) => id === pickedVariant) ? pickedVariant : drawnFirst(content.variants))

  const block = previewBlock({ id: instance.id, definition, content }, children, {
    locale: code,
    variant,
    environment,
    segments: asked === '' || device?.bar ? [] : (device?.segments ?? []),
    now: Date.now(),
  })
  const isWide = width === 'web'
  return (
    <Stack gap="sm">
      <Group gap={6} wrap="nowrap">
        <SegmentedControl
          aria-label={t('previewWidth')}
          value={isWide ? 'web' : 'phone'}
          onChange={setWidth}
          data={[
            { value: 'phone', label: <Choice icon={IconDeviceMobile} text={t('phone')} /> },
            { value: 'web', label: <Choice icon={IconDeviceDesktop} text={t('web')} /> },
          ]}
        />
        <LocalePicker value={locale} onChange={setLocale} />
        {content.variants.length > 0 && (
          <Select
            aria-label={t('variant')}
            data={content.variants.map(({ id }) => id)}
            value={variant}
            onChange={(id) => setVariant(id ?? SOURCE)}
            readOnly={drawn !== undefined}
            allowDeselect={false}
            comboboxProps={{ width: 'max-content' }}
            flex="1 1 0"
            miw={0}
          />
        )}
        <Group gap={4} wrap="nowrap">
          <Toggle
            label={dir === 'rtl' ? t('toLtr') : t('toRtl')}
            icon={dir === 'rtl' ? IconTextDirectionLtr : IconTextDirectionRtl}
            onClick={() => setFlip(!flip)}
          />
          <Toggle
            label={theme === 'dark' ? t('toLight') : t('toDark')}
            icon={theme === 'dark' ? IconSun : IconMoon}
            onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
          />
        </Group>
      </Group>
      <ViewerFields deviceId={deviceId} onDeviceId={setDeviceId} environment={environment} onEnvironment={setEnvironment} />
      <ExplainView explained={explained} verdict={verdict} />
      <PreviewFrame
        width={isWide ? 'web' : 'phone'}
        design={block.designType}
        theme={theme}
        dir={dir}
        label={t('previewOf', { name: content.title || definition.name })}
      >
        <ShadowBox styles={STYLES}>
          <div data-cf-theme={theme}>
            <Drawn block={block} locale={natural.lang} dir={dir} />
          </div>
        </ShadowBox>
      </PreviewFrame>
    </Stack>
  )
}

/** The variant for a viewer without a chosen one: once there are variants, shared values alone are never served. */
function drawnFirst(variants: readonly Variant[]): string | null {
  return (variants.find(({ weight }) => weight > 0) ?? variants[0])?.id ?? null
}

/** The language of the reader where the content has it. */
function usePreferredLocale(): string {
  const language = useLanguage()
  const { locales, source } = useEditor()
  const isOwn = (code: string) => code.toLowerCase().split('-')[0] === language
  if (source && isOwn(source.code)) return SOURCE
  return locales.find(({ code }) => isOwn(code))?.code ?? SOURCE
}

function Drawn({ block, locale, dir }: { block: DesignBlock; locale: string | undefined; dir: 'ltr' | 'rtl' }) {
  const t = useTexts()
  return (
    <Design block={block} locale={locale} dir={dir} inline onClick={(_link, _block, event) => event.preventDefault()}>
      {block.designType === 'tooltip' && <span className="cf-muted">{t('tooltipAnchor')}</span>}
    </Design>
  )
}

function LocalePicker({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTexts()
  const names = useLocaleNames()
  const { locales, source, content } = useEditor()
  const codes = new Set([
    ...locales.filter(({ code }) => code !== source?.code).map(({ code }) => code),
    ...Object.keys(content.translations),
  ])
  return (
    <Select
      aria-label={t('previewLanguage')}
      data={[{ value: SOURCE, label: names(null) }, ...[...codes].map((code) => ({ value: code, label: names(code) }))]}
      value={value === SOURCE || codes.has(value) ? value : SOURCE}
      onChange={(chosen) => onChange(chosen ?? SOURCE)}
      allowDeselect={false}
      searchable={codes.size > 8}
      comboboxProps={{ width: 'max-content' }}
      flex="1 1 0"
      miw={0}
    />
  )
}

type Picture = typeof IconMoon

function Toggle({ label, icon: Icon, onClick }: { label: string; icon: Picture; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={36} aria-label={label} onClick={onClick}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function Choice({ icon: Icon, text }: { icon: Picture; text: string }) {
  return (
    <Group gap={6} wrap="nowrap" justify="center">
      <Icon size={16} aria-hidden />
      <span className="cf-visually-hidden">{text}</span>
    </Group>
  )
}
