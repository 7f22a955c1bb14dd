import { api } from '#shared/api/all.ts'
import { operate } from './support/console.ts'
import { runLoad } from './support/load.ts'
import { startChild } from './support/process.ts'
import { join } from 'node:path'
const here = import.meta.dirname
const stream = process.argv[2] === 'stream'
const conns = Number(process.argv[3] ?? 64), secs = Number(process.argv[4] ?? 8)
const mock = await startChild(join(here,'support/mock-upstream.ts'))
const bare = await startChild(join(here,'support/bare-proxy.ts'),[mock.url])
const relay = await startChild(process.env.PROF ? '--cpu-prof' : join(here,'../server/main.ts'), process.env.PROF ? ['--cpu-prof-dir=/tmp/prof', join(here,'../server/main.ts'),'serve'] : ['serve'], {PORT:'0',HOST:'127.0.0.1',DATA_DIR:'/tmp/profdata'+Date.now(),INITIAL_ROOT_PASSWORD:'bench-password',RATE_LIMIT_API:'0',LOG_LEVEL:'error'})
const call = await operate(relay.url,'bench-password')
await call(api.options.update,{key:'ModelRatio',value:'{"m":1}'})
await call(api.channels.create,{name:'m',type:1,key:'bench',models:'m',base_url:`${mock.url}/0/200`})
const token = await call(api.tokens.create,{name:'b',unlimited_quota:true})
const body = JSON.stringify({model:'m',max_tokens:100,...(stream?{stream:true}:{}),messages:[{role:'user',content:'Say something about switchyards, briefly and in plain words.'}]})
for (const [name,child,url] of [['bare',bare,`${bare.url}/0/200/v1/chat/completions`],['relay',relay,relay.url+'/v1/chat/completions']] as const) {
  await runLoad({url,key:'sk-'+token.key,body,connections:conns,seconds:secs/2})
  const c0=child.cpuSeconds(); const r=await runLoad({url,key:'sk-'+token.key,body,connections:conns,seconds:secs})
  const cpu=child.cpuSeconds()-c0
  console.log(name, 'req',r.requests,'rps',(r.requests/r.seconds).toFixed(0),'us/req',(cpu/r.requests*1e6).toFixed(1),'p50',r.p50.toFixed(2),'p99',r.p99.toFixed(2),'fb',r.firstByteP50.toFixed(2),'err',r.errors,'mem',child.memoryMb().toFixed(0))
}
await relay.stop(); await bare.stop(); await mock.stop()
