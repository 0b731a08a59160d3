internal import Cupola
