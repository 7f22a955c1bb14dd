export function chromiumEnvironment(): Promise<{ CHROME_PATH?: string }>
