import "codemirror"; import "@codemirror/lang-python";
window.worker = new Worker("worker.js", {type:"module"});
window.log=[]; 
window.ask = (request, id=1)=>new Promise(ok=>{ worker.onmessage=({data})=>{ log.push([performance.now(), data.kind, data.data]); if(["answer","died"].includes(data.kind)) ok(data); }; worker.postMessage({id, request}); });
