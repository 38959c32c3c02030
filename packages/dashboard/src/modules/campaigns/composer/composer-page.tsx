import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { isApproved } from '@contentflow/core/campaigns/status.ts'
import type { Locale } from '@contentflow/server/wire.ts'
import { useCalendar } from '../../../calendar.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { LoadedPage } from '../../../ui/loaded-page.tsx'
import { Page } from '../../../ui/page.tsx'
import { SavedByOthers } from '../../../ui/unsaved/saved-by-others.tsx'
import { FoundWork, useFoundWork, useKeepWork } from '../../../ui/unsaved/use-kept-work.tsx'
import { useAutosave } from '../../../ui/unsaved/use-autosave.ts'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { SubmitDialog } from '../actions/submit-dialog.tsx'
import { useWhole } from '../../mails/editor/use-shared-parts.ts'
import { useWebAddress } from '../../settings/web-address/use-web-address.ts'
import { campaignPath, useCampaign, type Campaign } from '../api.ts'
import { CampaignState } from '../campaign-state.tsx'
import { useTexts as useCampaignTexts } from '../texts.ts'
import { useLocales } from '../../../locales.ts'
import { Composer } from './composer.tsx'
import { adoptionOf, draftOf, isSame, keptDraft, newDraft, type Draft } from './draft.ts'
import { faultsOf } from './faults.ts'
import { faultsOfMail } from './mail/mail-faults.ts'
import { useTexts } from './texts.ts'
import { useSaving } from './use-saving.ts'
import { AdoptionNotice } from './variants/notices.tsx'

export function NewCampaignPage() {
  const locales = useLocales()
  const { workspace, mayEdit } = useSession()
  if (!mayEdit) return <Navigate to={campaignPath(workspace.id)} replace />
  return locales ? <OpenComposer locales={locales} /> : <Waiting />
}

export function EditCampaignPage() {
  const campaign = useCampaignTexts()
  const locales = useLocales()
  const { workspace, mayEdit } = useSession()
  const { id = '' } = useParams()
  const read = useCampaign(id)
  if (!mayEdit) return <Navigate to={campaignPath(workspace.id, id)} replace />
  return (
    <LoadedPage read={read} title={campaign('title')} failed={campaign('openFailed')} height={480}>
      {(stored) => (locales ? <OpenComposer key={stored.id} locales={locales} stored={stored} /> : <Waiting />)}
    </LoadedPage>
  )
}

function Waiting() {
  const t = useCampaignTexts()
  return (
    <Page title={t('title')}>
      <Skeleton height={480} />
    </Page>
  )
}

/** What this browser keeps of a campaign in work: the stored version under it, the draft it started from, and the draft. */
type KeptCampaign = { base?: Campaign; before: Draft; draft: Draft }

function OpenComposer({ locales, stored }: { locales: readonly Locale[]; stored?: Campaign }) {
  const t = useTexts()
  const campaignTexts = useCampaignTexts()
  const { workspace } = useSession()
  const { timeZone } = useCalendar()
  const [left, setLeft] = useState<Campaign>()
  // The editor keeps the version that was opened; changes of others are met on saving.
  const thing = `campaign/${stored?.id ?? 'new'}`
  const found = useFoundWork<KeptCampaign>(thing)
  const [base, setBase] = useState(found?.value.base ?? stored)
  const [opened] = useState(() => Date.now())
  const source = locales.find(({ source: isSource }) => isSource)?.code
  const open = (campaign: Campaign): Draft => draftOf(campaign, { now: opened, source })
  const [before, setBefore] = useState(() => {
    if (found) return keptDraft(found.value.before, source)
    return base ? open(base) : newDraft(timeZone, locales[0]?.code)
  })
  const [draft, setDraft] = useState(() => (found ? keptDraft(found.value.draft, source) : before))
  const [isChecked, setChecked] = useState(false)
  const [submitting, setSubmitting] = useState<Campaign>()
  /** It is saved in order to be submitted, so this page stays until it is. */
  const [isAsking, setAsking] = useState(false)
  const { data: address } = useWebAddress()
  const faults = [...faultsOf(draft, source, Date.now()), ...faultsOfMail(draft, useWhole(draft.mail), address && (address.url ?? null))]
  const isDirty = !isSame(draft, before)
  const adoption = base && adoptionOf(base, source)
  const { forget } = useKeepWork(thing, isDirty ? { base, before, draft } : undefined, found !== undefined)
  const keep = (next: Campaign) => {
    setBase(next)
    setBefore(open(next))
    setDraft(open(next))
  }
  const saving = useSaving({
    base,
    draft,
    source,
    onSaved: (next, sent) => {
      setBase(next)
      setBefore(open(next))
      setDraft((typed) => (isSame(typed, sent) ? open(next) : typed))
    },
    onAutosaved: (next, sent) => {
      setBase(next)
      setBefore(sent)
    },
  })
  // The server stores this draft already: the page was left before the answer to its save came.
  const newest = saving.theirs ?? stored
  if (base && newest && newest.version > base.version && !saving.isBusy && isSame(draft, open(newest))) keep(newest)
  // A save that is under way is followed by one of what was typed meanwhile.
  const isAutosaved = base?.status === 'draft' && isDirty && !saving.isBusy && !saving.theirs && !faults.some(({ isWrong }) => isWrong)
  useAutosave(isAutosaved ? JSON.stringify(draft) : undefined, base?.version, saving.saveItself)
  const wasApproved = base !== undefined && isApproved(base.status)
  const save = async (andThen: (saved: Campaign | undefined) => void) => {
    setChecked(true)
    if (faults.some(({ isWrong }) => isWrong)) return
    andThen(await saving.save())
  }
  const submit = () => {
    setChecked(true)
    if (faults.length > 0) return
    if (!isDirty && !adoption && base) setSubmitting(base)
    else {
      setAsking(true)
      void save((saved) => {
        setSubmitting(saved)
        setAsking(false)
      })
    }
  }
  if (left) return <Navigate to={campaignPath(workspace.id, left.id)} replace />
  // A new campaign has its own address once it is saved; the page at that address takes over.
  if (!stored && base && !submitting && !isAsking && !isDirty)
    return <Navigate to={campaignPath(workspace.id, `${base.id}/edit`)} replace />
  return (
    <Page
      title={base ? t('editTitle', { name: base.name }) : t('newTitle')}
      path={[
        { label: campaignTexts('title'), to: campaignPath(workspace.id) },
        ...(base ? [{ label: base.name, to: campaignPath(workspace.id, base.id) }] : []),
      ]}
      beside={base && <CampaignState status={base.status} />}
      actions={
        wasApproved ? (
          <Button loading={saving.isBusy} disabled={!isDirty} onClick={() => void save(setLeft)}>
            {t(saving.isAsked ? 'requestEdit' : 'saveChanges')}
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              loading={saving.isBusy}
              disabled={base !== undefined && !isDirty && !adoption}
              onClick={() => void save(() => {})}
            >
              {t('save')}
            </Button>
            <Button onClick={submit} disabled={saving.isBusy}>
              {t('submit')}
            </Button>
          </>
        )
      }
    >
      <UnsavedGuard isDirty={isDirty && !saving.isBusy} onLeave={forget} />
      <FoundWork found={found} isDirty={isDirty} onDiscard={() => setDraft(before)} />
      <Notices isApproved={wasApproved} isAsked={saving.isAsked} faults={isChecked ? faults.length : 0} />
      {adoption && <AdoptionNotice adoption={adoption} isApproved={wasApproved} />}
      {saving.theirs && (
        <SavedByOthers
          words={{ title: t('conflictTitle'), text: t('conflictText'), mine: t('overwrite'), theirs: t('load') }}
          onMine={() => void saving.overwrite()}
          onTheirs={() => saving.theirs && keep(saving.theirs)}
        />
      )}
      {saving.error && <Failure error={saving.error} />}
      <Composer draft={draft} onChange={setDraft} faults={faults} isChecked={isChecked} locales={locales} storedId={base?.id} />
      {submitting && <SubmitDialog campaign={submitting} onClose={() => setSubmitting(undefined)} onDone={setLeft} />}
    </Page>
  )
}

function Notices({ isApproved: wasApproved, isAsked, faults }: { isApproved: boolean; isAsked: boolean; faults: number }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <>
      {wasApproved && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />}>
          {t(isAsked ? 'requestText' : 'sealText')}
        </Alert>
      )}
      {faults > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {t('fixFirst', { count: faults, formatted: format.number(faults) })}
        </Text>
      )}
    </>
  )
}
