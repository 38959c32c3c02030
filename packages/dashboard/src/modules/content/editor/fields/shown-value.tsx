import { Group, Text } from '@mantine/core'
import { isEmpty, type Field, type Json } from '@contentflow/core/blocks/field.ts'
import { asIds } from './children.ts'
import { useEditor } from '../editor-context.tsx'
import { choicesOf } from './field-label.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useTexts } from '../texts.ts'

/** A value of a field to be read, in the field's own terms. */
export function ShownValue({ field, value }: { field: Field | undefined; value: Json | undefined }) {
  const t = useTexts()
  const { children } = useEditor()
  if (isEmpty(value) || value === undefined) return <Text size="sm">{t('nothing')}</Text>
  if (field?.type === 'image' && typeof value === 'string')
    return (
      <Group gap="xs" wrap="nowrap" miw={0}>
        <Thumbnail url={value} />
        <Text size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
      </Group>
    )
  if (typeof value === 'boolean') return <Text size="sm">{value ? t('on') : t('off')}</Text>
  if (field?.type === 'collection')
    return (
      <Text size="sm" lineClamp={2} dir="auto" className="cf-foreign">
        {asIds(value)
          .map((id) => children.get(id)?.instance.title || id)
          .join(' · ')}
      </Text>
    )
  const option = field?.type === 'select' ? choicesOf(field).find(({ json }) => json === value)?.label : undefined
  const text = option ?? (typeof value === 'string' ? value : JSON.stringify(value))
  return (
    <Text
      size="sm"
      dir="auto"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      className={field?.type === 'url' ? 'cf-code' : 'cf-foreign'}
    >
      {text}
    </Text>
  )
}
