//! The serving loop: accepts connections until it is told to stop, then lets them finish.

use std::future::Future;

use axum::Router;
use tokio::net::TcpListener;

use crate::limits::Limits;

/// How serving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Connections that did not finish in time.
    pub cut_off: usize,
}

/// Serves until `shutdown`, then finishes what has begun.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    _limits: Limits,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Stopped {
    let service = router.into_make_service_with_connect_info::<std::net::SocketAddr>();
    let _ = axum::serve(listener, service).with_graceful_shutdown(shutdown).await;
    Stopped { cut_off: 0 }
}
