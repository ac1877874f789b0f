package io.karmi.technology;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;

/** Who wants to know of calls that leave; the reference layer implements it. Thread-safe. */
public interface CallWatcher {
  /** A call is about to leave. What this throws fails the call. */
  WatchedCall leaving(ObjectId target, RemoteInterface type, int methodNumber);
}
