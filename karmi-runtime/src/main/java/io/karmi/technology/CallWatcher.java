package io.karmi.technology;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;

/** Observer of outgoing calls; the reference layer implements it. Thread-safe. */
public interface CallWatcher {
  /** Called before a call leaves. An exception fails the call. */
  WatchedCall leaving(ObjectId target, RemoteInterface type, int methodNumber);
}
