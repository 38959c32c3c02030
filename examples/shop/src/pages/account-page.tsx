import { Block, useClient, useSnapshot } from '@contentflow/sdk/react'
import { useState } from 'react'
import type { OpenDialog } from '../dialogs/open-dialog.ts'
import { remember, rememberedPerson } from '../remembered.ts'
import { useText } from '../use-text.ts'

export function AccountPage({ onOpen }: { onOpen: (dialog: OpenDialog) => void }) {
  const client = useClient()
  const { userId } = useSnapshot()
  const { t, own } = useText()
  const [message, setMessage] = useState('')

  const leave = async (end: () => Promise<{ status: 'done' | 'pending' }>, done: string) => {
    try {
      const { status } = await end()
      remember('person', undefined)
      setMessage(status === 'done' ? done : own('waiting'))
    } catch (error) {
      setMessage(own('failed', { reason: String(error) }))
    }
  }
  return (
    <>
      <h1>{t('app.tab.account')}</h1>
      <div className="person">
        <p>{userId === undefined ? own('guest') : own('hello', { name: rememberedPerson()?.name || userId })}</p>
        <div className="row">
          {userId === undefined ? (
            <button type="button" className="button" onClick={() => onOpen('sign-in')}>
              {t('account.sign_in')}
            </button>
          ) : (
            <button type="button" className="button" onClick={() => void leave(() => client.logout(), '')}>
              {t('account.sign_out')}
            </button>
          )}
          <button type="button" className="button button--quiet" onClick={() => onOpen('consent')}>
            {own('choices')}
          </button>
        </div>
        <p className="note" role="status">
          {message}
        </p>
      </div>
      <Block name="account_panel" />
      <div className="person">
        <p className="note">{t('account.privacy.delete.body')}</p>
        <button type="button" className="button button--quiet" onClick={() => void leave(() => client.erase(), own('erased'))}>
          {t('account.privacy.delete')}
        </button>
      </div>
    </>
  )
}
