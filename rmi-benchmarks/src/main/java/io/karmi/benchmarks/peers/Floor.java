package io.karmi.benchmarks.peers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * Transports of the same bytes without objects and calls: the lower bound of RMI on this machine.
 *
 * <p>Each connection begins on a TCP socket, on which the server says where the link itself is.
 */
public enum Floor {
  /** That TCP socket. */
  SOCKET {
    @Override
    Link serve(Socket control) throws IOException {
      return new SocketLink(control);
    }

    @Override
    Link connect(Socket control) throws IOException {
      return new SocketLink(control);
    }
  },
  /** A Unix domain socket. */
  UNIX_SOCKET {
    @Override
    Link serve(Socket control) throws IOException {
      return UnixSocketLink.serve(new DataOutputStream(control.getOutputStream()));
    }

    @Override
    Link connect(Socket control) throws IOException {
      return UnixSocketLink.connect(new DataInputStream(control.getInputStream()).readUTF());
    }
  },
  /** Mapped memory, at which both sides spin. */
  SHARED_MEMORY {
    @Override
    Link serve(Socket control) throws IOException {
      return MemoryLink.serve(control);
    }

    @Override
    Link connect(Socket control) throws IOException {
      return MemoryLink.connect(control);
    }
  },
  /** The same, each message in a new array: what no call that copies its arguments can beat. */
  COPIES {
    @Override
    Link serve(Socket control) throws IOException {
      return MemoryLink.serve(control);
    }

    @Override
    Link connect(Socket control) throws IOException {
      return MemoryLink.connect(control);
    }

    @Override
    boolean makesArrays() {
      return true;
    }
  },
  /** Aeron's inter-process channel. */
  AERON {
    @Override
    Link serve(Socket control) throws IOException {
      return AeronLink.serve(control);
    }

    @Override
    Link connect(Socket control) throws IOException {
      return AeronLink.connect(control);
    }
  },
  /** UCX, at which both sides spin. */
  UCX {
    @Override
    Link serve(Socket control) throws IOException {
      return new UcxLink(control);
    }

    @Override
    Link connect(Socket control) throws IOException {
      return new UcxLink(control);
    }
  };

  /** The server's end of a connection that a client has just opened. */
  abstract Link serve(Socket control) throws IOException;

  /** The client's end. */
  abstract Link connect(Socket control) throws IOException;

  /** Is each message read into a new array? */
  boolean makesArrays() {
    return false;
  }
}
