import { ActionIcon, Menu, ScrollArea, Text, Tooltip } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useFormat } from '../../format.ts'
import { useTexts } from './texts-tokens.ts'
import type { TokenChoice } from './use-tokens.ts'

export type TokensMenuProps = { label: string; onPick: (token: string) => void; tokens: readonly TokenChoice[] }

/** Puts a placeholder where one writes. `label`: what of. */
export function TokensMenu({ label, onPick, tokens }: TokensMenuProps) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Menu position="bottom-end" shadow="md" returnFocus={false}>
      <Menu.Target>
        <Tooltip label={t('insertToken')}>
          <ActionIcon variant="subtle" color="gray" size={28} aria-label={`${t('insertToken')}: ${label}`}>
            <IconBraces size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('tokensText')}</Menu.Label>
        <ScrollArea.Autosize mah={280}>
          {tokens.map(({ token, sample, people }) => (
            <Menu.Item key={token} onClick={() => onPick(token)}>
              <span className="cf-code">{`{{${token}}}`}</span>
              {(sample !== undefined || people !== null) && (
                <Text size="xs" c="dimmed" component="div">
                  {sample !== undefined && <bdi>{sample}</bdi>}
                  {sample !== undefined && people !== null && ' · '}
                  {people !== null && t('knownOf', { count: people, formatted: format.number(people) })}
                </Text>
              )}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
