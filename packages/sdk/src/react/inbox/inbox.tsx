import { useId, useRef, type MouseEvent, type ReactNode } from 'react'
import type { InboxItem } from '../../inbox.ts'
import { useSetup, useSnapshot } from '../context.ts'
import { readLink } from '../designs/reading/read-link.ts'
import { useInbox } from './use-inbox.ts'
import { inboxWord } from './words.ts'

function useLanguage() {
  const { words } = useSetup()
  const { strings, locale: asked, direction } = useSnapshot()
  const locale = strings?.locale ?? asked ?? 'en'
  return { locale, direction, say: inboxWord(locale, words) }
}

/** The messages of the person, the newest first: reading, archiving, all at once. Keyboard and screen readers get the same. */
export function Inbox(): ReactNode {
  const { locale, direction, say } = useLanguage()
  const { items, unread, isLoading, hasMore, error, more, readAll } = useInbox()
  const heading = useId()
  const list = useRef<HTMLUListElement>(null)
  // The button of a message that is gone had the focus: it goes to the list, not to the page's beginning.
  const keepFocus = () => list.current?.focus()
  return (
    <section
      className="cf-design cf-inbox"
      dir={direction}
      lang={locale}
      aria-labelledby={heading}
      aria-busy={isLoading && error === undefined}
    >
      <header className="cf-inbox-head">
        <h2 id={heading}>{say('inbox')}</h2>
        {unread > 0 && (
          <button type="button" className="cf-inbox-action" onClick={readAll}>
            {say('readAll')}
          </button>
        )}
      </header>
      <p className="cf-inbox-live" role="status">
        {unread > 0 ? say('bell.some', countText(unread, locale)) : ''}
      </p>
      {error === undefined && !isLoading && items.length === 0 && <p className="cf-inbox-note">{say('empty')}</p>}
      <ul ref={list} tabIndex={-1} aria-labelledby={heading}>
        {items.map((item) => (
          <Message key={item.id} item={item} onGone={keepFocus} />
        ))}
      </ul>
      {error !== undefined && <p className="cf-inbox-note">{say('failed')}</p>}
      {hasMore && (
        <button type="button" className="cf-inbox-action" onClick={() => void more()}>
          {say('more')}
        </button>
      )}
    </section>
  )
}

function Message({ item, onGone }: { item: InboxItem; onGone: () => void }) {
  const { locale, say } = useLanguage()
  const { onLink, assetOrigin } = useSetup()
  const { markRead, archive, click } = useInbox()
  const heading = useId()
  const { id, title, body, image, button, createdAt, readAt } = item
  const link = button && readLink(button.url)
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    click(id)
    if (link) onLink?.(link, event)
  }
  return (
    <li className="cf-inbox-item" data-unread={readAt === null || undefined}>
      <article aria-labelledby={heading}>
        <h3 id={heading} dir="auto">
          {readAt === null && <span className="cf-inbox-new">{say('isNew')}</span>} {title ?? body}
        </h3>
        {title !== null && body !== null && <p dir="auto">{body}</p>}
        {image !== null && <img src={pictureOf(image, assetOrigin)} alt="" loading="lazy" />}
        <time dateTime={createdAt}>
          {new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(createdAt))}
        </time>
        <div className="cf-inbox-actions">
          {button && link && (
            <a className="cf-inbox-link" href={link.href} dir="auto" onClick={press}>
              {button.label}
            </a>
          )}
          <button type="button" className="cf-inbox-action" aria-describedby={heading} onClick={() => markRead(id, readAt === null)}>
            {say(readAt === null ? 'read' : 'unread')}
          </button>
          <button
            type="button"
            className="cf-inbox-action"
            aria-describedby={heading}
            onClick={() => {
              archive(id)
              onGone()
            }}
          >
            {say('archive')}
          </button>
        </div>
      </article>
    </li>
  )
}

export type InboxBellProps = { isOpen?: boolean; onPress: () => void }

/** A button with the number of unread messages, for the head of an app. What it opens is yours; `isOpen` says whether it is. */
export function InboxBell({ isOpen, onPress }: InboxBellProps): ReactNode {
  const { locale, direction, say } = useLanguage()
  const { unread } = useInbox()
  const count = countText(unread, locale)
  const name = unread > 0 ? say('bell.some', count) : say('bell.none')
  return (
    <span className="cf-design cf-inbox-bell" dir={direction} lang={locale}>
      <button type="button" aria-label={name} aria-expanded={isOpen} onClick={onPress}>
        <svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden="true">
          <path d="M10 5a2 2 0 1 1 4 0 7 7 0 0 1 4 6v3a4 4 0 0 0 2 3H4a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9 17v1a3 3 0 0 0 6 0v-1" />
        </svg>
        {unread > 0 && <span aria-hidden="true">{count}</span>}
      </button>
      <span className="cf-inbox-live" role="status">
        {unread > 0 ? name : ''}
      </span>
    </span>
  )
}

function pictureOf(image: string, assetOrigin: string | undefined): string {
  return assetOrigin !== undefined && image.startsWith('/') && !image.startsWith('//') ? assetOrigin + image : image
}

/** 100 means so many or more. */
function countText(unread: number, locale: string): string {
  const number = new Intl.NumberFormat(locale)
  return unread >= 100 ? `${number.format(99)}+` : number.format(unread)
}
