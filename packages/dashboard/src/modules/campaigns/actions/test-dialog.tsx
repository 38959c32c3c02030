import { Button, Group, Input, List, Radio, Select, Stack, TagsInput, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { ANY_LOCALE } from '@contentflow/core/messages/content.ts'
import { tokensOf } from '@contentflow/core/messages/tokens.ts'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { campaignApi, type Campaign, type CampaignTest } from '../api.ts'
import { sampleValues, useTokens } from '../../../ui/tokens/use-tokens.ts'
import { PersonPicker } from '../../../ui/fields/person-picker.tsx'
import { useReasonWords } from '../../../ui/reason-words.ts'
import { useChannelName } from '../words.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useActionTexts } from './texts.ts'

const MOST_PEOPLE = 10

/** The message itself, to oneself or to named people. */
export function TestSendDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useActionTexts()
  const [isMe, setMe] = useState(true)
  const [people, setPeople] = useState<string[]>([])
  const hasChannel = SEND_CHANNELS.some((channel) => campaign.dispatchChannels.includes(channel))
  const [locale, setLocale] = useState<string | null>(null)
  const [as, setAs] = useState('')
  const used = tokensOf(campaign.content)
  const values = useExamples(used)
  const send = useWrite<'me' | string[], { results: CampaignTest[] }>(
    (to) => ({
      method: 'POST',
      path: `${campaignApi(campaign.id)}/test-send`,
      body: { to, ...(locale !== null && { locale }), ...(to === 'me' && (as === '' ? { values } : { as })) },
    }),
    { stale: [], showsError: true },
  )
  return (
    <Dialog opened onClose={onClose} title={t('testSendTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(isMe ? 'me' : people)
        }}
      >
        <Stack>
          <Text size="sm">{t('testSendText')}</Text>
          <Radio.Group value={isMe ? 'me' : 'people'} onChange={(next) => setMe(next === 'me')} aria-label={t('testSendTitle')}>
            <Stack gap="xs">
              <Radio value="me" label={t('toMe')} />
              <Radio value="people" label={t('toPeople')} disabled={!hasChannel} description={hasChannel ? undefined : t('noChannel')} />
            </Stack>
          </Radio.Group>
          {!isMe && (
            <TagsInput
              label={t('people')}
              description={t('peopleHint')}
              value={people}
              onChange={setPeople}
              maxTags={MOST_PEOPLE}
              acceptValueOnBlur
            />
          )}
          <LanguageField content={campaign.content} isMe={isMe} value={locale} onChange={setLocale} />
          {isMe && used.length > 0 && (
            <Input.Wrapper label={t('valuesOf')} description={t('valuesOfHint')}>
              <PersonPicker label={t('valuesOf')} value={as} onChange={setAs} environment="live" />
            </Input.Wrapper>
          )}
          {send.data && <Results results={send.data.results} />}
          {send.error && <Failure error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
            <Button
              type="submit"
              loading={send.isPending}
              disabled={!isMe && people.length === 0}
              leftSection={<IconSend size={16} aria-hidden className="cf-mirrored" />}
            >
              {t(send.isSuccess ? 'sendAgain' : 'send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

type LanguageFieldProps = { content: Campaign['content']; isMe: boolean; value: string | null; onChange: (locale: string | null) => void }

/** Asked for only where the campaign is written in several languages. */
function LanguageField({ content, isMe, value, onChange }: LanguageFieldProps) {
  const t = useActionTexts()
  const format = useFormat()
  const codes = Object.keys(content).filter((code) => code !== ANY_LOCALE)
  if (codes.length < 2) return null
  return (
    <Select
      label={t('testLanguage')}
      data={codes.map((code) => ({ value: code, label: format.language(code) }))}
      value={value ?? (isMe ? (codes[0] ?? null) : null)}
      onChange={onChange}
      placeholder={t('theirLanguage')}
      clearable={!isMe}
      allowDeselect={false}
    />
  )
}

/** A known value for each placeholder, as the preview shows it. */
function useExamples(used: readonly string[]): { [token: string]: string } {
  const tokens = useTokens()
  const { email: _, name: __, preferencesUrl: ___, customAttributes, enrichment, ...others } = sampleValues(tokens, used, '')
  const known = new Map<string, unknown>([
    ...Object.entries(others),
    ...Object.entries(customAttributes).map(([name, value]) => [`customAttributes.${name}`, value] as const),
    ...Object.entries(enrichment).map(([name, value]) => [`enrichment.${name}`, value] as const),
  ])
  return Object.fromEntries(used.filter((token) => known.has(token)).map((token) => [token, String(known.get(token))]))
}

function Results({ results }: { results: CampaignTest[] }) {
  const t = useActionTexts()
  const channelName = useChannelName()
  const reason = useReasonWords()
  return (
    <div role="status">
      <List size="sm" aria-label={t('results')}>
        {results.map(({ userId, channel, sent, reason: why = '' }) => (
          <List.Item key={`${userId} ${channel}`}>
            <bdi>{userId ?? t('resultMe')}</bdi> · {channelName(channel)}:{' '}
            <Text span inherit c={sent ? undefined : 'var(--mantine-color-error)'}>
              <bdi>{sent ? t('resultSent') : reason(why)}</bdi>
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
