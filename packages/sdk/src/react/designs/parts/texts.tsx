import type { ReactNode } from 'react'
import { Anchor } from './anchor.tsx'
import { useSettings } from '../design-settings.ts'
import type { Action, Paragraph } from '../reading/read-block.ts'
import { wordOf } from '../reading/words.ts'

/** A heading one level deeper for each collection around it. */
export function Heading({ id, className, children }: { id?: string; className: string; children: ReactNode }) {
  const { depth } = useSettings()
  const Level = depth === 0 ? 'h2' : depth === 1 ? 'h3' : 'h4'
  return (
    <Level id={id} className={className}>
      {children}
    </Level>
  )
}

/** The title; with a link it makes the whole block pressable, while screen readers meet one link with the title as its text. */
export function CoverTitle({ title, link, className }: { title: string | undefined; link: Action | undefined; className: string }) {
  const { locale, words } = useSettings()
  if (title === undefined) {
    return link && <Anchor link={link.link} className="cf-cover" label={wordOf('open', locale, words) ?? link.label} />
  }
  return (
    <Heading className={className}>
      {link ? (
        <Anchor link={link.link} className="cf-cover">
          {title}
        </Anchor>
      ) : (
        title
      )}
    </Heading>
  )
}

export function Paragraphs({ paragraphs }: { paragraphs: readonly Paragraph[] }) {
  return paragraphs.map(({ tag, text, isList }) =>
    isList ? (
      <ul key={tag} className="cf-points">
        {linesOf(text).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    ) : (
      <p key={tag} className="cf-body">
        {text}
      </p>
    ),
  )
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}
