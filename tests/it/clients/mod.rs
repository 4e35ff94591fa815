//! Every client uses the fixture server, in each era that it knows, on each transport.
//!
//! A program in `tests/peers` for each family of clients makes the checks and reports them, one a
//! line. What the tests find is kept for the table that `tests/run.sh` prints at its end.

mod driver;
mod row;
mod server;

use crate::cli::Folder;
use driver::Driver;
pub(crate) use row::Row;
pub(crate) use server::Server;

/// What a client cannot check that connects anew for each request.
const ONE_SHOT: [&str; 4] = ["progress", "custom", "cancel", "list_changed"];

/// What a client cannot check that knows the messages of the protocol only.
pub(crate) const TYPED: [&str; 1] = ["custom"];

/// Makes a test of each client and era. An era is named as the driver calls it; then come the
/// checks that the client cannot make on any transport.
macro_rules! rows {
    ($transport:ident:
        $($name:ident: $client:literal, $era:literal, $driver:ident, $without:expr;)+
    ) => {$(
        #[tokio::test]
        async fn $name() {
            let (client, era, without) = ($client, $era, &$without);
            let row = Row { client, era, transport: stringify!($transport), without };
            judge(row, Driver::$driver).await;
        }
    )+};
}

/// The rows of 2026-07-28.
macro_rules! modern {
    ($transport:ident) => {
        rows! { $transport:
            python_auto: "Python mcp 2", "auto", PYTHON, TYPED;
            python_modern: "Python mcp 2", "2026-07-28", PYTHON, TYPED;
            fastmcp_auto: "FastMCP 4", "auto", FASTMCP, ["custom", "list_changed"];
            inspector_auto: "Inspector 2", "auto", INSPECTOR, ONE_SHOT;
            inspector_modern: "Inspector 2", "modern", INSPECTOR, ONE_SHOT;
            typescript_auto: "TypeScript client 2", "auto", TYPESCRIPT, [];
            typescript_modern: "TypeScript client 2", "2026-07-28", TYPESCRIPT, [];
            rmcp_auto: "rmcp 3", "auto", RMCP, [];
            rmcp_modern: "rmcp 3", "modern", RMCP, [];
        }
    };
}

/// The rows of 2025-11-25.
macro_rules! legacy {
    ($transport:ident) => {
        rows! { $transport:
            python_legacy: "Python mcp 2", "legacy", PYTHON, TYPED;
            python_fallback: "Python mcp 2", "fallback", PYTHON, TYPED;
            python_1: "Python mcp 1", "legacy", PYTHON_1, TYPED;
            fastmcp_legacy: "FastMCP 4", "legacy", FASTMCP, TYPED;
            inspector_legacy: "Inspector 2", "legacy", INSPECTOR, ONE_SHOT;
            typescript_legacy: "TypeScript client 2", "legacy", TYPESCRIPT, [];
            typescript_fallback: "TypeScript client 2", "fallback", TYPESCRIPT, [];
            typescript_1: "TypeScript SDK 1", "legacy", TYPESCRIPT_1, [];
            rmcp_legacy: "rmcp 3", "legacy", RMCP, [];
            rmcp_fallback: "rmcp 3", "fallback", RMCP, [];
        }
    };
}

mod stdio {
    use super::{Driver, ONE_SHOT, Row, TYPED, judge};

    modern!(stdio);
    legacy!(stdio);
}

mod http {
    use super::{Driver, ONE_SHOT, Row, TYPED, judge};

    modern!(http);
    legacy!(http);
}

mod sessions {
    use super::{Driver, ONE_SHOT, Row, TYPED, judge};

    legacy!(sessions);
}

/// Lets a client judge the fixture.
async fn judge(row: Row, driver: Driver) {
    if !driver.is_installed() {
        return;
    }
    let folder = Folder::create();
    let mut server = match row.transport {
        "stdio" => Server::stdio(folder.path(), row.flags()),
        _ => Server::http(row.flags()).await,
    };
    let mut found = driver.run(&row, folder.path(), &server).await;
    if let Err(reason) = server.ended(driver.servers).await {
        found.insert("close".to_owned(), Err(reason));
    }
    row.judge(&found);
}
