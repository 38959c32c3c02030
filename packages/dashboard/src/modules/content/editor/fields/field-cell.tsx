import { ActionIcon, Box, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import type { Field, Json } from '@contentflow/core/blocks/field.ts'
import { useEditor } from '../editor-context.tsx'
import { faultAt } from '../changes/faults.ts'
import { FieldEditor } from './field-editor.tsx'
import { fieldLabel } from './field-label.ts'
import { useLocaleNames } from './locale-names.ts'
import type { Layer } from '../changes/places.ts'
import { resolveValue } from './resolve-value.ts'
import { ShownValue } from './shown-value.tsx'
import { useFaultText } from '../changes/fault-text.ts'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

/** Types that are edited in place, with the inherited value as a hint. Other fields are the same in every language unless somebody changes that. */
const TYPED: ReadonlySet<string> = new Set(['text', 'textarea', 'url', 'image'])

/** One field in one language and variant. */
export function FieldCell({ field, layer, isAlone }: { field: Field; layer: Layer; isAlone: boolean }) {
  const t = useTexts()
  const names = useLocaleNames()
  const { content, change, faults, instance, isReadOnly } = useEditor()
  const sourceName = useSourceName()
  const faultText = useFaultText()
  const place = { ...layer, tag: field.tag }
  const resolved = resolveValue(content, layer, field.tag)
  const isBase = layer.locale === null && layer.variant === null
  const isEditable = isBase || TYPED.has(field.type) || resolved.own !== undefined
  const fault = faultAt(instance.targets.length > 0 ? [...faults.saving, ...faults.publishing] : faults.saving, place)
  const label = isAlone ? fieldLabel(field) : `${fieldLabel(field)} (${names(layer.locale)})`
  return (
    <Stack gap={4} miw={0}>
      {!isAlone && (
        <Text size="sm" c="dimmed" className={classes.cellLocale} aria-hidden>
          {names(layer.locale)}
        </Text>
      )}
      {isEditable ? (
        <Group gap={4} wrap="nowrap" align="flex-start">
          <Box flex={1} miw={0}>
            <FieldEditor
              field={field}
              label={label}
              locale={layer.locale}
              value={resolved.own}
              hint={resolved.inherited?.value}
              error={fault && faultText(fault)}
              onChange={(value) => change(place, value)}
            />
          </Box>
          {!isBase && !isReadOnly && resolved.own !== undefined && resolved.inherited && (
            <Tooltip label={t('use', { from: sourceName(resolved.inherited.from) })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`${t('use', { from: sourceName(resolved.inherited.from) })}: ${label}`}
                onClick={() => change(place, undefined)}
              >
                <IconArrowBackUp size={16} aria-hidden className="cf-mirrored" />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ) : (
        <Group gap="xs" mih={36} c="dimmed">
          {resolved.inherited ? <ShownValue field={field} value={resolved.inherited.value} /> : <Text size="sm">{t('nothing')}</Text>}
          {!isReadOnly && (
            <Tooltip label={t('changeHere', { where: names(layer.locale) })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`${t('changeHere', { where: names(layer.locale) })}: ${fieldLabel(field)}`}
                onClick={() => change(place, resolved.inherited?.value ?? emptyValue(field))}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      )}
      {!isBase && resolved.own === undefined && resolved.inherited && (
        <Text size="xs" c="dimmed">
          {t('from', { from: sourceName(resolved.inherited.from) })}
        </Text>
      )}
    </Stack>
  )
}

/** The layer that shows through: its language, and its variant when it has one. */
function useSourceName(): (from: Layer) => string {
  const names = useLocaleNames()
  return ({ locale, variant }) => (variant === null ? names(locale) : `${names(locale)} · ${variant}`)
}

function emptyValue({ type }: Field): Json {
  return type === 'toggle' ? false : type === 'number' ? 0 : []
}
