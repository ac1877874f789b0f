/** Calls that take too long, and nodes that go. */
package io.karmi.calls;
