/** Lines of 24 by 24 icons, drawn with the colour of the text. */
const PATHS: { readonly [name: string]: string } = {
  truck:
    'M2 6.5h11v10H2zM13 10h4.5l3.5 3.5v3h-8M6.5 19a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M16.8 19a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5.2l3.4 2',
  gift: 'M4 12v8.5h16V12M3 7.5h18V12H3zM12 7.5v13M12 7.5S10.8 3 8.2 3a2.2 2.2 0 0 0 0 4.5zM12 7.5S13.2 3 15.8 3a2.2 2.2 0 0 1 0 4.5z',
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5.5M12 7.8v.1',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z',
  heart: 'M12 20S3.5 15 3.5 9A4.6 4.6 0 0 1 12 6.6 4.6 4.6 0 0 1 20.5 9c0 6-8.5 11-8.5 11z',
  tag: 'M3.5 4v7.2l9.3 9.3 7.7-7.7-9.3-9.3H4zM8 8v.1',
  check: 'm5 12.5 4.6 4.6L19.5 7',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  chevron: 'm9 5 7 7-7 7',
  pause: 'M9 6v12M15 6v12',
  play: 'm8 5.5 10 6.5-10 6.5z',
  picture: 'M3.5 4.5h17v15h-17zM3.5 16l5-5 4.5 4.5 3-3 4.5 4M15.5 9v.1',
}

export function hasIcon(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(PATHS, name)
}

/** Decoration: its meaning is beside it as text. Icons with a direction are mirrored where the text runs from the right. */
export function Icon({ name }: { name: string }) {
  const points = name === 'chevron' || name === 'truck' || name === 'play'
  return (
    <svg className={points ? 'cf-icon cf-icon--points' : 'cf-icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
