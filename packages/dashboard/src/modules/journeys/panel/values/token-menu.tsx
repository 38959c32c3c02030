/** Puts what an event says into a text. */
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useState } from 'react'
import { useEventType, type EventProperty } from '../../../events/api.ts'
import { useEditor } from '../../editor-context.tsx'
import { useStepTexts } from '../../texts-steps.ts'
import { tokenOf, tokenSourcesOf, type TokenSource } from './listened-events.ts'

/** Only a property that is declared as required is in every event. */
export function isAlwaysSent({ declared }: EventProperty): boolean {
  return declared?.required === true
}

/** Nothing where the journey keeps no event. `isSmall`: an icon beside a field. */
export function TokenMenu({ onPick, isSmall = false }: { onPick: (token: string) => void; isSmall?: boolean }) {
  const t = useStepTexts()
  const { draft } = useEditor()
  const [isOpen, setOpen] = useState(false)
  const sources = tokenSourcesOf(draft)
  if (sources.length === 0) return null
  return (
    <Menu shadow="md" width={280} position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        {isSmall ? (
          <ActionIcon variant="default" size={36} aria-label={t('insert')}>
            <IconBraces size={16} aria-hidden />
          </ActionIcon>
        ) : (
          <Button size="compact-sm" variant="light" w="fit-content" leftSection={<IconBraces size={14} aria-hidden />}>
            {t('insert')}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {isOpen && sources.map((source) => <Properties key={`${source.prefix} ${source.type}`} source={source} onPick={onPick} />)}
      </Menu.Dropdown>
    </Menu>
  )
}

function Properties({ source, onPick }: { source: TokenSource; onPick: (token: string) => void }) {
  const t = useStepTexts()
  const { data } = useEventType(source.type, 'live')
  const properties = data?.properties ?? []
  return (
    <>
      <Menu.Label>{t(source.prefix === 'event' ? 'begins' : 'lastOf', { event: source.type })}</Menu.Label>
      {properties.map((property) => (
        <Menu.Item key={property.name} onClick={() => onPick(tokenOf(source, property.name))}>
          <Text size="sm" component="span">
            <bdi>{property.name}</bdi>
          </Text>
          {!isAlwaysSent(property) && (
            <Text size="xs" c="dimmed">
              {t('notAlways')}
            </Text>
          )}
        </Menu.Item>
      ))}
      {properties.length === 0 && (
        <Text size="xs" c="dimmed" px="sm" pb="xs">
          {t('insertNone', { token: `\u2068${tokenOf(source, '…')}\u2069` })}
        </Text>
      )}
    </>
  )
}
