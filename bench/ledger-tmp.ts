import { startTestApp } from '#server/testing/test-app.ts'
import { timeOrderedId } from '#server/lib/random.ts'
const app = await startTestApp()
const {ctx}=app
await ctx.database.db.insertInto('tokens').values({user_id:1,name:'t',key_hash:'h',key_sealed:'',status:1,created_time:0,accessed_time:0,expired_time:-1,unlimited_quota:1,models:'',subnet:''}).execute()
const log={user_id:1,created_at:1700000000,type:2,content:'model ratio 1, group ratio 1, completion ratio 4',username:'root',token_name:'t',model_name:'gpt-4o',prompt_tokens:10,completion_tokens:5,channel:1,request_id:'x',duration_ms:12,first_byte_ms:11,is_stream:0,outcome:'done',tried:'1',detail:JSON.stringify({charge:{by:'tokens',model:'gpt-4o',source:'list',modelRatio:1,groupRatio:1,parts:[{of:'input',tokens:10,ratio:1},{of:'output',tokens:5,ratio:4}]}})}
async function one(){ const id=timeOrderedId(Date.now()); await ctx.ledger.reserve({id,userId:1,tokenId:1,least:10,wanted:100,at:1700000000}); await ctx.ledger.settle({id,userId:1,tokenId:1,charge:30,channelId:1,counts:true,log:{...log,request_id:id},at:1700000000}) }
async function run(n:number){ let left=n; await Promise.all(Array.from({length:64},async()=>{while(left-->0) await one()})) }
await run(20000)
const c=process.cpuUsage(), t=performance.now(); const N=60000
await run(N)
const d=process.cpuUsage(c)
console.log('us cpu/request user',(d.user/N).toFixed(1),'sys',(d.system/N).toFixed(1),'wall',((performance.now()-t)/N*1000).toFixed(1))
await app.stop()
