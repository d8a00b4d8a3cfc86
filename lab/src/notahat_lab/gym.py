"""Gymnasium's ids of the environments. `gymnasium.make("notahat_lab.gym:notahat/Solo-v1")` imports this module.

Gymnasium 1.0 removed its entry points for other packages' environments, so an id alone cannot find this package.
"""

from gymnasium import register

register(id="notahat/Solo-v1", entry_point="notahat_lab.solo:Solo")
register(id="notahat/Tables-v1", vector_entry_point="notahat_lab.vector:VectorTables")
