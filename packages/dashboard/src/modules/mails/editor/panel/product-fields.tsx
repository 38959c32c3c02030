import { Checkbox, Input, Stack, Text, TextInput } from '@mantine/core'
import { MOST_PRODUCTS, PRODUCT_PARTS, type ProductSection } from '@contentflow/core/mail/products/product-section.ts'
import { useFormat } from '../../../../format.ts'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { changeSection } from '../document/change-mail.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import { ChoiceField } from './choice-field.tsx'
import { isWithin } from './node-fields.tsx'
import { ShowToField } from './show-to-field.tsx'

const COLUMNS = ['1', '2', '3'] as const

/** Where products come from, and how many are shown of each. Content that was chosen through the API is named, and not changed here. */
export function ProductFields({ section }: { section: ProductSection }) {
  const t = useTexts()
  const format = useFormat()
  const { document, change, endStep } = useEditing()
  const { id, source, columns, limit, show } = section
  const set = (part: { [member: string]: unknown }, group?: string) => change(changeSection(document, id, part), group)
  return (
    <Stack gap="md">
      {'trait' in source ? (
        <TextInput
          label={t('productsTrait')}
          description={t('productsTraitHelp')}
          value={source.trait}
          onChange={({ currentTarget }) => set({ source: { trait: currentTarget.value.trim() } }, `trait ${id}`)}
          onBlur={endStep}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          required
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('productsContent', { count: source.instances.length, formatted: format.number(source.instances.length), block: source.block })}
        </Text>
      )}
      <ChoiceField
        label={t('columns')}
        values={COLUMNS}
        nameOf={(each) => each}
        value={COLUMNS[columns - 1] ?? '1'}
        onChange={(next) => set({ columns: Number(next) })}
      />
      <NumberField
        label={t('productsLimit')}
        value={limit}
        onChange={(next) => {
          if (isWithin(next, 1, MOST_PRODUCTS)) set({ limit: next }, `limit ${id}`)
        }}
        min={1}
        max={MOST_PRODUCTS}
        isWhole
        isNeeded
      />
      <Input.Wrapper label={t('productsShow')} labelElement="div">
        <Stack gap={6} mt={4}>
          {PRODUCT_PARTS.map((part) => (
            <Checkbox
              key={part}
              label={t(`product_${part}`)}
              checked={show.includes(part)}
              disabled={show.length === 1 && show.includes(part)}
              onChange={({ currentTarget }) =>
                set({ show: PRODUCT_PARTS.filter((each) => (each === part ? currentTarget.checked : show.includes(each))) })
              }
            />
          ))}
        </Stack>
      </Input.Wrapper>
      <ShowToField section={section} />
    </Stack>
  )
}
