import { Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { idOf, type Part } from '../document/places.ts'
import { leftOut, putBack } from '../document/variant.ts'
import { useEditing } from '../editing-context.ts'
import { usePartNameIn } from '../kinds.tsx'
import { useTexts } from '../texts.ts'

/** What a variant leaves out of its mail, each part with a way back. */
export function LeftOut() {
  const t = useTexts()
  const { document, variantOf, change, select, announce } = useEditing()
  const nameIn = usePartNameIn()
  if (!variantOf) return null
  const parts = leftOut(variantOf, document)
  const back = (part: Part) => {
    change(putBack(variantOf, document, idOf(part)))
    announce(t('putBackWord', { name: nameIn(variantOf, part) }))
    select(idOf(part), { takesFocus: true })
  }
  return (
    <div role="group" aria-label={t('leftOut')}>
      <Text size="sm" c="dimmed">
        {t('variantHelp')}
      </Text>
      {parts.length > 0 && (
        <Group gap={6} mt="xs">
          <Text size="sm">{t('leftOut')}</Text>
          {parts.map((part) => {
            const name = nameIn(variantOf, part)
            return (
              <Button
                key={idOf(part)}
                variant="default"
                size="compact-sm"
                leftSection={<IconArrowBackUp size={16} className="cf-mirrored" aria-hidden />}
                aria-label={t('putBack', { name })}
                onClick={() => back(part)}
                maw="100%"
              >
                <bdi>{name}</bdi>
              </Button>
            )
          })}
        </Group>
      )}
    </div>
  )
}
