import { Alert, Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconWorldSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { DomainFindingCode } from '@contentflow/core/channels/domain-check.ts'
import { useWrite } from '../../../data.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Channel, DomainCheck } from '../api.ts'
import { CHANNELS } from './channel-form.tsx'
import { useDomainTexts } from './texts-domain.ts'

const COLOURS = { ok: 'teal', warn: 'yellow', stop: 'red' } as const
/** As the server takes it. */
const SELECTOR = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/i

/** Asks how the domain that a channel sends from is set up, and says what to do (decision 73). */
export function DomainDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useDomainTexts()
  const [selector, setSelector] = useState('')
  const [isWrong, setWrong] = useState(false)
  const check = useWrite<string, DomainCheck>(
    (said) => ({ method: 'POST', path: `${CHANNELS}/${channel.id}/check-domain`, body: said === '' ? {} : { selector: said } }),
    { stale: [], showsError: true },
  )
  const said = selector.trim()
  return (
    <Dialog opened onClose={onClose} title={t('title', { name: channel.name })} size="lg">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (said === '' || SELECTOR.test(said)) check.mutate(said)
          else setWrong(true)
        }}
      >
        <Stack>
          <Text size="sm">{t('text')}</Text>
          {channel.configuration['dkimSelector'] === undefined && (
            <TextInput
              label={t('selector')}
              description={t('selectorText')}
              value={selector}
              onChange={({ currentTarget }) => {
                setSelector(currentTarget.value)
                setWrong(false)
              }}
              error={isWrong ? t('selectorWrong') : undefined}
              dir="ltr"
              autoComplete="off"
              maw={280}
            />
          )}
          {check.data && <Findings check={check.data} />}
          {check.error && <Failure title={t('failed')} error={check.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('done')}
            </Button>
            <Button
              type="submit"
              loading={check.isPending}
              variant={check.data ? 'default' : 'filled'}
              leftSection={<IconWorldSearch size={16} aria-hidden />}
              data-autofocus
            >
              {t(check.data ? 'again' : 'check')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Findings({ check: { domain, findings } }: { check: DomainCheck }) {
  const t = useDomainTexts()
  const open = findings.filter(({ level }) => level !== 'ok').length
  return (
    <Stack gap="sm">
      <Alert role="status" color={open === 0 ? 'teal' : 'yellow'} title={t(open === 0 ? 'allRight' : 'toDo', { domain })} />
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {findings.map(({ code, level, name, value }) => (
          <Paper key={code + name} withBorder p="sm" component="li">
            <Stack gap={4}>
              <Group gap="xs" align="center">
                <Badge color={COLOURS[level]} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
                  {t(level)}
                </Badge>
                <Text fw={600}>{t(code)}</Text>
              </Group>
              {level !== 'ok' && <Text size="sm">{t(`do_${code as Exclude<DomainFindingCode, OkCode>}`)}</Text>}
              <Text size="xs" dir="ltr" className="cf-foreign" style={{ overflowWrap: 'anywhere' }}>
                {value === null ? name : `${name}: ${value}`}
              </Text>
            </Stack>
          </Paper>
        ))}
      </Stack>
    </Stack>
  )
}

type OkCode = 'spf_ok' | 'dkim_ok' | 'dmarc_ok'
