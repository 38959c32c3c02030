import { Checkbox, Input, Stack } from '@mantine/core'
import { MOST_PRODUCTS, PRODUCT_PARTS, type ProductSection } from '@contentflow/core/mail/products/product-section.ts'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { changeSection } from '../document/change-mail.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import { ChoiceField } from './choice-field.tsx'
import { isWithin } from './node-fields.tsx'
import { ProductSourceFields } from './product-source.tsx'
import { ShowToField } from './show-to-field.tsx'

const COLUMNS = ['1', '2', '3'] as const

/** Where products come from, and what is shown of each. */
export function ProductFields({ section }: { section: ProductSection }) {
  const t = useTexts()
  const { document, change } = useEditing()
  const { id, columns, limit, show } = section
  const set = (part: { [member: string]: unknown }, group?: string) => change(changeSection(document, id, part), group)
  return (
    <Stack gap="md">
      <ProductSourceFields section={section} />
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
