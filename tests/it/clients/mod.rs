//! Every client uses the fixture server, in each era that it knows.
//!
//! A program in `tests/peers` for each family of clients makes the checks and reports them, one a
//! line. What the tests find is kept for the table that `tests/run.sh` prints at its end.

mod driver;
mod row;
mod server;

use crate::cli::Folder;
use driver::Driver;
pub(crate) use row::Row;
use server::Server;

/// What a client cannot check that connects anew for each request.
const ONE_SHOT: [&str; 3] = ["progress", "cancel", "list_changed"];

/// Makes a test of each client and era. An era is named as the driver calls it; then come the
/// checks that the client cannot make.
macro_rules! rows {
    ($($name:ident: $client:literal, $era:literal, $driver:ident, without $without:expr;)+) => {
        mod stdio {
            use super::{Driver, ONE_SHOT, Row, judge};

            $(#[tokio::test]
            async fn $name() {
                let (client, era, without) = ($client, $era, &$without);
                let row = Row { client, era, transport: "stdio", without };
                judge(row, Driver::$driver).await;
            })+
        }
    };
}

rows! {
    python_auto: "Python mcp 2", "auto", PYTHON, without [];
    python_legacy: "Python mcp 2", "legacy", PYTHON, without [];
    python_modern: "Python mcp 2", "2026-07-28", PYTHON, without [];
    python_fallback: "Python mcp 2", "fallback", PYTHON, without [];
    python_1: "Python mcp 1", "legacy", PYTHON_1, without [];
    fastmcp_auto: "FastMCP 4", "auto", FASTMCP, without ["list_changed"];
    fastmcp_legacy: "FastMCP 4", "legacy", FASTMCP, without [];
    inspector_auto: "Inspector 2", "auto", INSPECTOR, without ONE_SHOT;
    inspector_legacy: "Inspector 2", "legacy", INSPECTOR, without ONE_SHOT;
    inspector_modern: "Inspector 2", "modern", INSPECTOR, without ONE_SHOT;
    typescript_auto: "TypeScript client 2", "auto", TYPESCRIPT, without [];
    typescript_legacy: "TypeScript client 2", "legacy", TYPESCRIPT, without [];
    typescript_modern: "TypeScript client 2", "2026-07-28", TYPESCRIPT, without [];
    typescript_fallback: "TypeScript client 2", "fallback", TYPESCRIPT, without [];
    typescript_1: "TypeScript SDK 1", "legacy", TYPESCRIPT_1, without [];
    rmcp_auto: "rmcp 3", "auto", RMCP, without [];
    rmcp_legacy: "rmcp 3", "legacy", RMCP, without [];
    rmcp_modern: "rmcp 3", "modern", RMCP, without [];
    rmcp_fallback: "rmcp 3", "fallback", RMCP, without [];
}

/// Lets a client judge the fixture.
async fn judge(row: Row, driver: Driver) {
    if !driver.is_installed() {
        return;
    }
    let folder = Folder::create();
    let mut server = Server::stdio(folder.path(), row.flags());
    let mut found = driver.run(&row, folder.path(), &server).await;
    for _ in 0..driver.servers {
        if let Err(reason) = server.ended().await {
            found.insert("close".to_owned(), Err(reason));
        }
    }
    row.judge(&found);
}
