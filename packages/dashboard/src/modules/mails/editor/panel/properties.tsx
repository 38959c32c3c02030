import { Stack, Text, Title } from '@mantine/core'
import { hasColumns, partOf } from '../document/places.ts'
import { PANEL } from '../canvas/canvas.tsx'
import { useEditing } from '../editing-context.ts'
import { usePartName } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { NodeFields } from './node-fields.tsx'
import { ProductFields } from './product-fields.tsx'
import { SectionFields } from './section-fields.tsx'

/** What can be set of the part that is selected. */
export function Properties() {
  const t = useTexts()
  const { document, selected, variantOf } = useEditing()
  const nameOf = usePartName()
  const part = partOf(document, selected)
  return (
    <Stack gap="md" id={PANEL}>
      {part ? (
        <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }} dir="auto" className="cf-foreign">
          {nameOf(part)}
        </Title>
      ) : (
        <Text size="sm" c="dimmed">
          {t(variantOf ? 'nothingSelectedOfVariant' : 'nothingSelected')}
        </Text>
      )}
      {part?.kind === 'node' && <NodeFields key={part.node.id} node={part.node} />}
      {part?.kind === 'section' && variantOf && (
        <Text size="sm" c="dimmed">
          {t('sectionOfVariant')}
        </Text>
      )}
      {part?.kind === 'section' &&
        !variantOf &&
        (hasColumns(part.section) ? (
          <SectionFields key={part.section.id} section={part.section} />
        ) : part.section.type === 'products' ? (
          <ProductFields key={part.section.id} section={part.section} />
        ) : (
          <Text size="sm" c="dimmed">
            {t(part.section.type === 'part' ? 'partText' : 'footerText')}
          </Text>
        ))}
      <Text size="xs" c="dimmed">
        {t(variantOf ? 'keysOfVariant' : 'keys')}
      </Text>
    </Stack>
  )
}
