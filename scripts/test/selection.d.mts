export interface TestFile {
  readonly path: string
  readonly lane: string
}

export function selectSuites(
  wanted: { readonly asked: ReadonlySet<string>; readonly filters: readonly string[] },
  tests: readonly TestFile[],
): { readonly suites?: readonly { name: string; files: readonly string[] }[]; readonly problem?: string }
